package practiceapi.junit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses the JSON of the service into maps, lists, strings, doubles, booleans and null. */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.skipSpace();
    if (json.at < text.length()) throw json.unexpected();
    return value;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }

  private Object value() {
    skipSpace();
    return switch (peek()) {
      case '{' -> members();
      case '[' -> items();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    at++;
    while (!skipIf('}')) {
      if (!members.isEmpty()) require(',');
      skipSpace();
      String name = string();
      require(':');
      members.put(name, value());
    }
    return members;
  }

  private List<Object> items() {
    List<Object> items = new ArrayList<>();
    at++;
    while (!skipIf(']')) {
      if (!items.isEmpty()) require(',');
      items.add(value());
    }
    return items;
  }

  private String string() {
    require('"');
    StringBuilder string = new StringBuilder();
    for (char next = take(); next != '"'; next = take()) {
      string.append(next == '\\' ? escaped() : next);
    }
    return string.toString();
  }

  private char escaped() {
    char kind = take();
    return switch (kind) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        if (at + 4 > text.length()) throw unexpected();
        at += 4;
        yield (char) Integer.parseInt(text, at - 4, at, 16);
      }
      default -> kind;
    };
  }

  private Double number() {
    int from = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
    if (from == at) throw unexpected();
    return Double.valueOf(text.substring(from, at));
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) throw unexpected();
    at += word.length();
    return value;
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
  }

  private boolean skipIf(char wanted) {
    skipSpace();
    if (peek() != wanted) return false;
    at++;
    return true;
  }

  private void require(char wanted) {
    if (!skipIf(wanted)) throw unexpected();
  }

  private char peek() {
    if (at >= text.length()) throw unexpected();
    return text.charAt(at);
  }

  private char take() {
    char next = peek();
    at++;
    return next;
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("Invalid JSON at character " + at + ".");
  }
}
