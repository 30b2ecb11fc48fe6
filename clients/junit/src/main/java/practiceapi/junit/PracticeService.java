package practiceapi.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The process of the service. The program is {@code practice-api} from PATH, or the command in PRACTICE_API_COMMAND. Without
 * flags, it is the running service at PRACTICE_API_URL, if that is set. The process ends with the test run, even if the run is
 * killed: the system then closes its standard input.
 */
public final class PracticeService implements AutoCloseable {
  private static final long START_SECONDS = 60;
  private static final long STOP_SECONDS = 10;
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

  private final Process process;
  private final String url;
  private final String tlsUrl;
  private final long pid;

  private PracticeService(Process process, String url, String tlsUrl, long pid) {
    this.process = process;
    this.url = url.replaceAll("/+$", "");
    this.tlsUrl = tlsUrl;
    this.pid = pid;
  }

  /** Starts a service on a free port, and waits until it responds. */
  public static PracticeService start(String... flags) {
    String running = System.getenv("PRACTICE_API_URL");
    boolean isRunning = running != null && !running.isEmpty() && flags.length == 0;
    if (isRunning) return at(running);
    String command = System.getenv("PRACTICE_API_COMMAND");
    return startWith(command == null || command.isBlank() ? "practice-api" : command, flags);
  }

  /** Returns a running service, for example in a container. */
  public static PracticeService at(String url) {
    return new PracticeService(null, url, null, 0);
  }

  static PracticeService startWith(String command, String... flags) {
    try {
      Path folder = Files.createTempDirectory("practice-api-");
      try {
        return startIn(folder, command, flags);
      } finally {
        for (Path file : List.of(folder.resolve("ready.json"), folder.resolve("errors.txt"), folder)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static PracticeService startIn(Path folder, String command, String... flags)
      throws IOException {
    Path readyFile = folder.resolve("ready.json");
    Path errors = folder.resolve("errors.txt");
    List<String> words = words(command);
    words.addAll(List.of("--port", "0", "--ready-file", readyFile.toString(), "--exit-with-stdin"));
    words.addAll(List.of(flags));
    Process process;
    try {
      process =
          new ProcessBuilder(words)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(errors.toFile())
              .start();
    } catch (IOException error) {
      throw new IllegalStateException(
          error.getMessage()
              + ". Put practice-api on PATH, or set PRACTICE_API_COMMAND, for example to"
              + " \"node practice-api.mjs\".",
          error);
    }
    try {
      Map<String, Object> ready = waitUntilReady(process, readyFile, errors);
      long pid = ((Number) ready.get("pid")).longValue();
      return new PracticeService(process, (String) ready.get("url"), (String) ready.get("tlsUrl"), pid);
    } catch (RuntimeException | IOException error) {
      stop(process);
      throw error;
    }
  }

  private static Map<String, Object> waitUntilReady(Process process, Path readyFile, Path errors)
      throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!Files.exists(readyFile)) {
      boolean isLate = System.nanoTime() > deadline;
      if (isLate || !process.isAlive()) {
        String what = isLate ? "was not ready after " + START_SECONDS + " s" : "ended";
        throw new IllegalStateException("Practice API " + what + ": " + Files.readString(errors).strip());
      }
      sleep();
    }
    return Json.object(Json.parse(Files.readString(readyFile)));
  }

  private static void sleep() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while Practice API started.", interruption);
    }
  }

  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    var matcher = WORD.matcher(command);
    while (matcher.find()) {
      for (int group = 1; group <= 3; group++) {
        if (matcher.group(group) != null) words.add(matcher.group(group));
      }
    }
    return words;
  }

  /** Returns the base URL, without a slash at the end. */
  public String url() {
    return url;
  }

  /** Returns the base URL with TLS, or null without {@code --tls-port}. */
  public String tlsUrl() {
    return tlsUrl;
  }

  /** Returns the id of the process, or 0 if PRACTICE_API_URL selects the service. */
  public long pid() {
    return pid;
  }

  /** Returns a sandbox with a new name. */
  public PracticeSandbox sandbox() {
    return new PracticeSandbox(url, "test-" + UUID.randomUUID());
  }

  /** Stops the process. A service that it did not start keeps running. */
  @Override
  public void close() {
    if (process != null) stop(process);
  }

  private static void stop(Process process) {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    } catch (IOException error) {
      process.destroyForcibly();
    } catch (InterruptedException interruption) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
