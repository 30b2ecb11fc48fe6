package practiceapi.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A private copy of the data, with its own clock and fault plans, for one test. */
public final class PracticeSandbox implements AutoCloseable {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build();

  private final String url;
  private final String name;

  PracticeSandbox(String serviceUrl, String name) {
    this.url = serviceUrl + "/s/" + name;
    this.name = name;
  }

  /** Returns the base URL of the client under test. */
  public String url() {
    return url;
  }

  /** Returns the value of X-Sandbox in requests to the URL of the service. */
  public String name() {
    return name;
  }

  /**
   * Sets one fault, a JSON object, for each request in turn; later requests pass.
   */
  public void plan(String... faults) {
    planRules("{\"sequence\": [" + String.join(", ", faults) + "]}");
  }

  /** Sets a plan of several rules, each a JSON object. */
  public void planRules(String... rules) {
    call("PUT", "/api/sandbox/faults", "{\"rules\": [" + String.join(", ", rules) + "]}");
  }

  /** Returns the requests since the plan was set: {@code attempts}, and {@code series} with verdicts. */
  public Map<String, Object> log() {
    return Json.object(Json.parse(call("GET", "/api/sandbox/faults/log", null)));
  }

  /** Returns how well the client retried, if all requests had the same path. */
  public Verdict verdict() {
    return verdict(null);
  }

  /** Returns how well the client retried at a path. */
  public Verdict verdict(String path) {
    List<Map<String, Object>> series =
        ((List<?>) log().get("series"))
            .stream().map(Json::object).filter(one -> path == null || path.equals(one.get("path"))).toList();
    if (series.size() == 1) return new Verdict(Json.object(series.get(0).get("verdict")));
    String seen =
        series.stream().map(one -> one.get("method") + " " + one.get("path")).collect(Collectors.joining(", "));
    throw new AssertionError("A verdict is about one series of requests; got: [" + seen + "].");
  }

  /** Sets the clock of the sandbox to this duration after the real time. */
  public void advance(Duration by) {
    call("PUT", "/api/sandbox/clock", "{\"offsetSeconds\": " + by.toSeconds() + "}");
  }

  /** Deletes everything in the sandbox. */
  @Override
  public void close() {
    call("DELETE", "/api/sandbox", null);
  }

  private String call(String method, String path, String json) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(30));
    if (json != null) request.header("Content-Type", "application/json");
    request.method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      if (response.statusCode() < 300) return response.body();
      throw new IllegalStateException(
          method + " " + path + ": " + response.statusCode() + " " + response.body());
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted.", interruption);
    }
  }
}
