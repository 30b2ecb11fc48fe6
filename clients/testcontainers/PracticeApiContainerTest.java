import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import practiceapi.junit.PracticeService;

@Testcontainers
class PracticeApiContainerTest {
  @Container
  static final GenericContainer<?> CONTAINER =
      new GenericContainer<>("practice-api")
          .withExposedPorts(3000)
          .waitingFor(Wait.forHttp("/health/ready").forPort(3000));

  @Test
  void retries() {
    String url = "http://" + CONTAINER.getHost() + ":" + CONTAINER.getMappedPort(3000);
    try (var sandbox = PracticeService.at(url).sandbox()) {
      sandbox.plan("{\"status\": 503}");
      new MyClient(sandbox.url()).get("/api/Books/1");
      assertTrue(sandbox.verdict().retried());
    }
  }
}
