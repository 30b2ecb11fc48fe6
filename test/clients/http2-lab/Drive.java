import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Meets each case of the file, a line of words each, with a new HttpClient, and prints what came of it. */
public class Drive {
  static final X509TrustManager TRUSTING = new X509TrustManager() {
    public void checkClientTrusted(X509Certificate[] chain, String type) {}
    public void checkServerTrusted(X509Certificate[] chain, String type) {}
    public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }
  };

  static void meet(String line) throws Exception {
    var words = line.split(" ");
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {TRUSTING}, new SecureRandom());
    var client = HttpClient.newBuilder().sslContext(context).version(HttpClient.Version.HTTP_2).build();
    var body = words[2].equals("POST")
        ? BodyPublishers.ofByteArray("a".repeat(Math.max(1, Integer.parseInt(words[3]))).getBytes())
        : BodyPublishers.noBody();
    var request = HttpRequest.newBuilder(URI.create(words[1]))
        .timeout(Duration.ofSeconds(6)).method(words[2], body).build();
    var first = client.sendAsync(request, BodyHandlers.ofByteArray());
    for (var at = 1; at < Integer.parseInt(words[4]); at++) {
      var later = CompletableFuture.delayedExecutor(400, TimeUnit.MILLISECONDS);
      later.execute(() -> client.sendAsync(request, BodyHandlers.ofByteArray()));
    }
    var fault = "";
    try {
      first.get(8, TimeUnit.SECONDS);
    } catch (Exception error) {
      fault = String.valueOf(error.getMessage()).replaceAll("[\"\\\\\\p{Cntrl}]", " ");
    }
    Thread.sleep(300);
    System.out.println("[\"" + words[0] + "\", \"" + fault + "\"]");
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> lines = Files.readAllLines(Path.of(args[0]));
    var pool = Executors.newFixedThreadPool(8);
    for (var line : lines) {
      pool.submit(() -> {
        meet(line);
        return null;
      });
    }
    pool.shutdown();
    pool.awaitTermination(300, TimeUnit.SECONDS);
    System.exit(0);
  }
}
