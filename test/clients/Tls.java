import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Prints the result of java.net.http for each server; the arguments alternate between name and URL. */
public class Tls {
    public static void main(String[] args) {
        HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(20)).build();
        for (int place = 0; place + 1 < args.length; place += 2) {
            String words = "null";
            try {
                HttpRequest request = HttpRequest.newBuilder(URI.create(args[place + 1] + "/health")).build();
                var response = client.send(request, BodyHandlers.ofString());
                if (args[place].equals("good")) System.out.println("[\"protocol\", \"" + response.version() + "\"]");
            } catch (Exception error) {
                Throwable cause = error;
                while (cause.getCause() != null) cause = cause.getCause();
                String text = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
                words = '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ") + '"';
            }
            System.out.println("[\"" + args[place] + "\", " + words + "]");
        }
    }
}
