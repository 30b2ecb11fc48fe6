// A client that uses only the JDK, java.net.http and java.security: prints one line of JSON for each step. Arguments are "name issuer".

import java.math.BigInteger;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.RSAPublicKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

public class JdkLogin {
  static final String CALLBACK = "http://127.0.0.1:4711/callback";
  static final String CLIENT = "demo-web";
  static final String SECRET = "demo-web-secret-of-32-characters";
  static final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static class Rejected extends Exception {
    Rejected(String message) {
      super(message);
    }
  }

  /** Returns a member of a flat object: a string, a number, or the text of a list. */
  static String member(String json, String name) throws Rejected {
    var found = Pattern.compile("\"" + name + "\":\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\\[[^\\]]*\\]|[\\d.]+))").matcher(json);
    if (!found.find()) throw new Rejected("there is no " + name);
    return found.group(1) != null ? found.group(1) : found.group(2);
  }

  static boolean has(String json, String name) {
    return json.contains("\"" + name + "\":");
  }

  static void check(boolean isSo, String message) throws Rejected {
    if (!isSo) throw new Rejected(message);
  }

  static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  static String get(String address, String token) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(address));
    if (token != null) request.header("Authorization", "Bearer " + token);
    var response = send(request);
    check(response.statusCode() == 200, "status " + response.statusCode());
    return response.body();
  }

  static String post(String address, Map<String, String> fields) throws Exception {
    var credentials = Base64.getEncoder().encodeToString((CLIENT + ":" + SECRET).getBytes());
    var request = HttpRequest.newBuilder(URI.create(address))
        .header("Authorization", "Basic " + credentials)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(form(fields)));
    var response = send(request);
    var type = response.headers().firstValue("content-type").orElse("");
    check(response.statusCode() == 200, "status " + response.statusCode());
    check(type.startsWith("application/json"), "a response of type " + type);
    return response.body();
  }

  static byte[] decoded(String text) {
    return Base64.getUrlDecoder().decode(text);
  }

  static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static byte[] sha256(String text) throws Exception {
    return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
  }

  static String random() {
    var bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return encoded(bytes);
  }

  /** The claims of an ID token (OpenID Connect Core section 3.1.3.7). */
  static String verify(String token, String keys, String issuer, String nonce, String access) throws Exception {
    var parts = token.split("\\.", -1);
    check(parts.length == 3 && !parts[2].isEmpty(), "an ID token without a signature");
    var header = new String(decoded(parts[0]), StandardCharsets.UTF_8);
    check(member(header, "alg").equals("RS256"), "alg is not RS256");
    var kid = member(header, "kid");
    var fitting = Arrays.stream(keys.substring(keys.indexOf('[')).split("(?<=\\}),(?=\\{)"))
        .filter(each -> each.contains("\"kid\":\"" + kid + "\"") && each.contains("\"kty\":\"RSA\""))
        .toList();
    check(fitting.size() == 1, fitting.size() + " keys have the kid of the ID token");
    var n = new BigInteger(1, decoded(member(fitting.get(0), "n")));
    var e = new BigInteger(1, decoded(member(fitting.get(0), "e")));
    var signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(n, e)));
    signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
    check(signature.verify(decoded(parts[2])), "the signature does not verify");

    var claims = new String(decoded(parts[1]), StandardCharsets.UTF_8);
    var now = Instant.now().getEpochSecond();
    check(member(claims, "iss").equals(issuer), "iss is another issuer");
    var aud = member(claims, "aud");
    check(aud.equals(CLIENT) || aud.equals("[\"" + CLIENT + "\"]"), "aud is not this client alone");
    if (has(claims, "azp")) check(member(claims, "azp").equals(CLIENT), "azp is not this client");
    check(Double.parseDouble(member(claims, "exp")) > now, "the ID token has expired");
    check(Double.parseDouble(member(claims, "iat")) < now + 60, "the ID token was issued in the future");
    check(member(claims, "nonce").equals(nonce), "nonce is another");
    if (has(claims, "at_hash")) {
      var half = encoded(Arrays.copyOf(sha256(access), 16));
      check(member(claims, "at_hash").equals(half), "at_hash is of another access token");
    }
    return claims;
  }

  static void logIn(String issuer) throws Exception {
    var server = get(issuer + "/.well-known/openid-configuration", null);
    check(member(server, "issuer").equals(issuer), "discovery is of another issuer");
    String state = random(), nonce = random(), verifier = random();
    var request = new LinkedHashMap<String, String>(Map.of(
        "client_id", CLIENT, "redirect_uri", CALLBACK, "response_type", "code",
        "scope", "openid profile offline_access", "state", state, "nonce", nonce,
        "code_challenge", encoded(sha256(verifier)), "code_challenge_method", "S256", "auto", "ada"));
    var sent = send(HttpRequest.newBuilder(
        URI.create(member(server, "authorization_endpoint") + "?" + form(request))));
    var back = URI.create(sent.headers().firstValue("location").orElseThrow(() -> new Rejected("no redirect")));
    check(back.getPath().equals("/callback"), "404: the application has no page at " + back.getPath());
    var params = Arrays.stream(back.getRawQuery().split("&")).map(each -> each.split("=", 2))
        .collect(Collectors.toMap(each -> each[0], each -> URLDecoder.decode(each[1], StandardCharsets.UTF_8)));
    check(state.equals(params.get("state")), "state is another");
    check(issuer.equals(params.get("iss")), "iss of the response is another issuer, or none");
    var tokenEndpoint = member(server, "token_endpoint");
    var tokens = post(tokenEndpoint, Map.of(
        "grant_type", "authorization_code", "code", params.get("code"), "redirect_uri", CALLBACK,
        "code_verifier", verifier));
    var access = member(tokens, "access_token");
    var keys = get(member(server, "jwks_uri"), null);
    var claims = verify(member(tokens, "id_token"), keys, issuer, nonce, access);
    var person = get(member(server, "userinfo_endpoint"), access);
    check(member(person, "sub").equals(member(claims, "sub")), "userinfo is about another user");
    var fresh = post(tokenEndpoint, Map.of(
        "grant_type", "refresh_token", "refresh_token", member(tokens, "refresh_token")));
    get(issuer + "/api/me", member(fresh, "access_token"));
    var out = send(HttpRequest.newBuilder(URI.create(member(server, "end_session_endpoint") + "?"
        + form(Map.of("id_token_hint", member(tokens, "id_token"))))));
    check(out.statusCode() < 400, "the logout failed");
  }

  public static void main(String[] steps) throws Exception {
    var pool = Executors.newCachedThreadPool();
    List<Future<String>> lines = new ArrayList<>();
    for (var step : steps) {
      var parts = step.split(" ");
      Callable<String> attempt = () -> {
        try {
          logIn(parts[1]);
          return "null";
        } catch (Exception refused) {
          return "\"" + String.valueOf(refused.getMessage()).replaceAll("[\\\\\"]", "'") + "\"";
        }
      };
      lines.add(pool.submit(() -> "[\"" + parts[0] + "\"," + attempt.call() + "]"));
    }
    for (var line : lines) System.out.println(line.get());
    pool.shutdown();
  }
}
