package practiceapi.junit;

import java.util.Map;

/**
 * How well a client retried.
 *
 * @param parts all parts by name, as docs/faults.md lists them; a part is null if it could not be judged
 */
public record Verdict(Map<String, Object> parts) {
  public boolean retried() {
    return is("retried");
  }

  public boolean succeeded() {
    return is("succeeded");
  }

  /** Returns whether the client waited as long as Retry-After says; false if no response had Retry-After. */
  public boolean honouredRetryAfter() {
    return parts.get("honouredRetryAfter") instanceof Map<?, ?> patience
        && Boolean.TRUE.equals(patience.get("honoured"));
  }

  /** Returns whether the waits of the client grew; false if it made fewer than three attempts. */
  public boolean backedOff() {
    return is("backedOff");
  }

  /** Returns whether the client repeated a request that is not safe to repeat. */
  public boolean repeatedUnsafely() {
    return is("repeatedUnsafely");
  }

  /** Returns a part; false also if it could not be judged. */
  public boolean is(String part) {
    return Boolean.TRUE.equals(parts.get(part));
  }
}
