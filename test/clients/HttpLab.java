import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Java's HttpClient with redirects and cookies: prints a line for each redirect, and last the verdict. */
public class HttpLab {
  static final HttpClient client =
      HttpClient.newBuilder()
          .followRedirects(HttpClient.Redirect.NORMAL)
          .cookieHandler(new CookieManager(null, CookiePolicy.ACCEPT_ORIGINAL_SERVER))
          .build();

  static String call(String method, String url, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    return response.body();
  }

  public static void main(String[] args) throws Exception {
    String base = args[0];
    for (int status : new int[] {301, 302, 303, 307, 308}) {
      for (String method : new String[] {"POST", "PUT"}) {
        String end = call(method, base + "/api/http/redirect/2?status=" + status, "hello");
        System.out.println(status + " " + method + "\t" + end);
      }
    }
    String started = call("POST", base + "/api/http/cookies/jar", null);
    Matcher address = Pattern.compile("\"(http[^\"]+)\"").matcher(started);
    String last = "";
    while (address.find()) last = call("GET", address.group(1), null);
    System.out.println("jar\t" + last);
  }
}
