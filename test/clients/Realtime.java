import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A socket and an event stream with the client of the JDK. */
class Realtime {
    static class Listener implements WebSocket.Listener {
        final CompletableFuture<String> text = new CompletableFuture<>();
        final CompletableFuture<String> end = new CompletableFuture<>();
        private final StringBuilder parts = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean isLast) {
            parts.append(data);
            if (isLast) text.complete(parts.toString());
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            end.complete(code + " " + reason);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            end.complete("error");
        }
    }

    public static void main(String[] arguments) throws Exception {
        var client = HttpClient.newHttpClient();
        var base = arguments[0].replace("http", "ws") + "/s/java/api/ws/";
        var echo = new Listener();
        var socket = client.newWebSocketBuilder().buildAsync(URI.create(base + "echo"), echo).join();
        socket.sendText("hel", false).join();
        socket.sendText("lo", true).join();
        System.out.println("echo " + echo.text.join());
        var closing = new Listener();
        client.newWebSocketBuilder().subprotocols("json")
            .buildAsync(URI.create(base + "close?code=4321&reason=bye"), closing).join();
        System.out.println("close " + closing.end.join());
        for (var kind : new String[] {"reserved-bits", "invalid-utf8", "orphan-continuation", "masked", "close-one-byte"}) {
            var broken = new Listener();
            client.newWebSocketBuilder().buildAsync(URI.create(base + "broken/" + kind), broken).join();
            System.out.println(kind + " " + broken.end.join());
        }
        var request = HttpRequest.newBuilder(URI.create(arguments[0] + "/api/sse/clock?count=3&interval=0")).build();
        var lines = client.send(request, HttpResponse.BodyHandlers.ofLines()).body();
        System.out.println("events " + lines.filter(line -> line.startsWith("data:")).count());
        System.exit(0);
    }
}
