import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.hc.client5.http.HttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.apache.hc.core5.util.TimeValue;

/**
 * Makes the calls on the lines of standard input with Apache HttpClient, all concurrently.
 *
 * A line has client, method, URL, sandbox, idempotency key and body, with tabs between them. Prints the status
 * of each in turn.
 */
public class Retrying {
  public static void main(String[] args) throws Exception {
    List<String> lines =
        new BufferedReader(new InputStreamReader(System.in)).lines().collect(Collectors.toList());
    ExecutorService threads = Executors.newFixedThreadPool(lines.size());
    List<Callable<Integer>> calls =
        lines.stream().map(line -> (Callable<Integer>) () -> carryOut(line)).collect(Collectors.toList());
    for (Future<Integer> status : threads.invokeAll(calls)) System.out.println(status.get());
    threads.shutdown();
  }

  static int carryOut(String line) throws IOException {
    String[] fields = line.split("\t", -1);
    ClassicRequestBuilder request =
        ClassicRequestBuilder.create(fields[1]).setUri(fields[2]).addHeader("X-Sandbox", fields[3]);
    if (!fields[4].isEmpty()) request.addHeader("Idempotency-Key", fields[4]);
    if (!fields[5].isEmpty()) request.setEntity(fields[5], ContentType.APPLICATION_JSON);
    try (CloseableHttpClient client =
        HttpClients.custom().setRetryStrategy(strategyOf(fields[0])).build()) {
      return client.execute(request.build(), response -> response.getCode());
    }
  }

  static HttpRequestRetryStrategy strategyOf(String client) {
    return client.equals("Apache HttpClient")
        ? DefaultHttpRequestRetryStrategy.INSTANCE
        : new DefaultHttpRequestRetryStrategy(6, TimeValue.ofMilliseconds(100));
  }
}
