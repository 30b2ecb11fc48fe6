package practiceapi.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PracticeApiExtension.class)
class PracticeApiExtensionTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static HttpResponse<String> send(String method, String url, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url)).method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) request.headers(headers);
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  /** The client under test: makes two attempts, and waits as long as Retry-After says. */
  private static int getPatiently(String url) throws IOException, InterruptedException {
    HttpResponse<String> response = send("GET", url);
    if (response.statusCode() != 503) return response.statusCode();
    Thread.sleep(1000 * response.headers().firstValueAsLong("Retry-After").orElse(0));
    return send("GET", url).statusCode();
  }

  @RepeatedTest(2)
  void eachTestHasASandbox(PracticeSandbox sandbox) throws Exception {
    String book = sandbox.url() + "/api/Books/1";
    assertEquals(200, send("GET", book).statusCode());
    assertEquals(204, send("DELETE", book).statusCode());
    assertEquals(404, send("GET", book).statusCode());
  }

  @Test
  void aHeaderNamesTheSandbox(PracticeService service, PracticeSandbox sandbox) throws Exception {
    send("DELETE", sandbox.url() + "/api/Books/1");
    String book = service.url() + "/api/Books/1";
    assertEquals(404, send("GET", book, "X-Sandbox", sandbox.name()).statusCode());
    assertEquals(200, send("GET", book).statusCode());
  }

  @Test
  void aPlanAndAVerdict(PracticeSandbox sandbox) throws Exception {
    sandbox.plan("{\"status\": 503, \"retryAfter\": 1}");
    assertEquals(200, getPatiently(sandbox.url() + "/api/Books/1"));
    assertTrue(sandbox.verdict().honouredRetryAfter());
  }

  @Test
  void aPlanForAPath(PracticeSandbox sandbox) throws Exception {
    sandbox.planRules(
        """
        {"match": {"path": "/api/Books/:id"}, "sequence": [{"status": 503, "retryAfter": 0}]}
        """);
    send("GET", sandbox.url() + "/api/Users");
    getPatiently(sandbox.url() + "/api/Books/1");
    send("GET", sandbox.url() + "/api/Books/2");
    AssertionError error = assertThrows(AssertionError.class, sandbox::verdict);
    assertTrue(error.getMessage().contains("GET /api/Books/1, GET /api/Books/2"));
    assertTrue(sandbox.verdict("/api/Books/1").retried());
    assertFalse(sandbox.verdict("/api/Books/2").retried());
  }

  @Test
  void aWrongPlanIsReported(PracticeSandbox sandbox) {
    var error = assertThrows(IllegalStateException.class, () -> sandbox.plan("{\"status\": 200}"));
    assertTrue(error.getMessage().contains("400"), error.getMessage());
  }

  @Test
  void theClock(PracticeSandbox sandbox) {
    sandbox.advance(Duration.ofDays(1));
  }

  @Test
  void aServiceWithFlags(PracticeService shared) throws Exception {
    PracticeService service = PracticeService.start("--accounts", "required");
    assertNotEquals(shared.pid(), service.pid());
    assertEquals(401, send("GET", service.url() + "/api/Books/1").statusCode());
    service.close();
    assertThrows(ConnectException.class, () -> send("GET", service.url() + "/health"));
  }

  @Test
  void aRunningService(PracticeService shared) throws Exception {
    try (PracticeService service = PracticeService.at(shared.url() + "/");
        PracticeSandbox sandbox = service.sandbox()) {
      assertEquals(shared.url(), service.url());
      assertEquals(200, send("GET", sandbox.url() + "/api/Books/1").statusCode());
    }
    assertEquals(200, send("GET", shared.url() + "/health").statusCode());
  }

  @Test
  void aWrongFlagIsReported() {
    var error = assertThrows(IllegalStateException.class, () -> PracticeService.start("--no-such-flag"));
    assertTrue(error.getMessage().contains("ended: --no-such-flag"), error.getMessage());
  }

  @Test
  void aMissingProgramIsReported() {
    var error =
        assertThrows(
            IllegalStateException.class, () -> PracticeService.startWith("'no such program' --flag"));
    assertTrue(error.getMessage().contains("no such program"), error.getMessage());
    assertTrue(error.getMessage().contains("PRACTICE_API_COMMAND"), error.getMessage());
  }

  @Test
  void json() {
    Object parsed = Json.parse(" {\"a\": [1.5, -2e3, true, null, \"\\\"\\u00e9\\n\"], \"b\": {}} ");
    Map<String, Object> object = Json.object(parsed);
    assertEquals(List.of(1.5, -2000.0, true), ((List<?>) object.get("a")).subList(0, 3));
    assertEquals("\"é\n", ((List<?>) object.get("a")).get(4));
    assertEquals(Map.of(), object.get("b"));
    for (String wrong : List.of("", "{", "[1", "{\"a\" 1}", "tru", "\"\\u12", "1 2", "x")) {
      assertThrows(IllegalArgumentException.class, () -> Json.parse(wrong), wrong);
    }
  }

  /** Waits until a test of the project kills this process. */
  @Test
  @EnabledIfEnvironmentVariable(named = "HOLD_FILE", matches = ".+")
  void hold(PracticeService service) throws Exception {
    Files.writeString(Path.of(System.getenv("HOLD_FILE")), String.valueOf(service.pid()));
    Thread.sleep(Duration.ofMinutes(10).toMillis());
  }
}
