// Java's own client: ranges, chunks and early hints, as lines of names and values.

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

class HttpStreams {
  static final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static HttpResponse<byte[]> get(String base, String path, String... headers) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(base + "/api/http/" + path));
    if (headers.length > 0) request.headers(headers);
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  public static void main(String[] args) throws Exception {
    var part = get(args[0], "bytes/1000", "Range", "bytes=10-19");
    System.out.println("range " + part.statusCode() + " " + part.body().length);
    System.out.println("chunks " + new String(get(args[0], "chunks?sizes=1,2,3&extensions=true").body()));
    System.out.println("trailers " + get(args[0], "trailers").statusCode());
    System.out.println("drip " + get(args[0], "drip?bytes=5&duration=0.05").body().length);
    System.out.println("bytes " + get(args[0], "bytes/3000000").body().length);
  }
}
