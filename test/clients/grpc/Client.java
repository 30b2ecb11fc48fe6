import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.google.protobuf.Duration;
import com.google.rpc.RetryInfo;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.File;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import practice.addsvc.AddGrpc;
import practice.addsvc.Addsvc.SumRequest;
import practice.grpcbin.GRPCBinGrpc;
import practice.grpcbin.Grpcbin.DummyMessage;
import practice.grpcbin.Grpcbin.EmptyMessage;
import practice.grpcbin.Grpcbin.SpecificErrorRequest;
import practice.hello.Hello.HelloRequest;
import practice.hello.HelloServiceGrpc;
import practice.v1.BooksGrpc;
import practice.v1.EchoGrpc;
import practice.v1.EchoOuterClass.EchoRequest;
import practice.v1.Records.Book;
import practice.v1.Records.ChatRequest;
import practice.v1.Records.CreateTodoRequest;
import practice.v1.Records.DeleteRequest;
import practice.v1.Records.GetRequest;
import practice.v1.Records.Todo;
import practice.v1.Records.UpdateBookRequest;
import practice.v1.Records.UpdateTodoRequest;
import practice.v1.Records.WatchRequest;
import practice.v1.StatusGrpc;
import practice.v1.StatusOuterClass.StatusRequest;
import practice.v1.TodosGrpc;

/**
 * Calls methods with grpc-java, and prints what it saw as JSON. Arguments: target, CA file, task. Without a task, it calls
 * all kinds of methods; client.py describes the tasks.
 */
public class Client {
  static final Metadata.AsciiMarshaller<String> ASCII = Metadata.ASCII_STRING_MARSHALLER;
  static final Map<String, Object> seen = new TreeMap<>();

  static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, ASCII);
  }

  static Metadata.Key<byte[]> binary(String name) {
    return Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
  }

  static StatusRuntimeException failure(Callable<?> call) throws Exception {
    try {
      call.call();
    } catch (StatusRuntimeException error) {
      return error;
    }
    throw new AssertionError("The call succeeded.");
  }

  static String code(Callable<?> call) throws Exception {
    return failure(call).getStatus().getCode().name();
  }

  /** Sends all messages, and returns all responses. */
  static <In, Out> List<Out> exchange(
      Function<StreamObserver<Out>, StreamObserver<In>> method, List<In> messages) throws Exception {
    List<Out> received = new ArrayList<>();
    CompletableFuture<Void> done = new CompletableFuture<>();
    StreamObserver<In> sending =
        method.apply(
            new StreamObserver<>() {
              public void onNext(Out message) {
                received.add(message);
              }

              public void onError(Throwable error) {
                done.completeExceptionally(error);
              }

              public void onCompleted() {
                done.complete(null);
              }
            });
    messages.forEach(sending::onNext);
    sending.onCompleted();
    done.get(20, SECONDS);
    return received;
  }

  static int count(Iterator<?> messages) {
    int count = 0;
    for (; messages.hasNext(); messages.next()) count++;
    return count;
  }

  static String json(Object value) {
    if (value instanceof List<?> list) return "[" + String.join(",", list.stream().map(Client::json).toList()) + "]";
    if (value instanceof Map<?, ?> map)
      return "{"
          + String.join(",", map.entrySet().stream().map(e -> json(e.getKey()) + ":" + json(e.getValue())).toList())
          + "}";
    if (value instanceof String text)
      return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("[\\x00-\\x1f]", " ") + '"';
    return String.valueOf(value);
  }

  static List<String> outcome(Callable<String> call) throws Exception {
    try {
      return List.of("OK", call.call());
    } catch (StatusRuntimeException error) {
      Status status = error.getStatus();
      return List.of(status.getCode().name(), String.valueOf(status.getDescription()));
    }
  }

  /** Meets a misbehaviour on a connection of its own. */
  static List<String> meet(String target, String name) throws Exception {
    var connection = NettyChannelBuilder.forTarget(target).usePlaintext().build();
    Metadata sent = new Metadata();
    sent.put(key("x-misbehave"), name);
    var stub = AddGrpc.newBlockingStub(connection).withInterceptors(MetadataUtils.newAttachHeadersInterceptor(sent));
    var three = SumRequest.newBuilder().setA(3).setB(4).build();
    var met = outcome(() -> String.valueOf(stub.withDeadlineAfter(30, SECONDS).sum(three).getV()));
    connection.shutdownNow();
    return met;
  }

  static Map<String, Object> meetAll(String target, List<String> names) throws Exception {
    // The first call loads the classes.
    meet(target, "trailers-only");
    var pool = java.util.concurrent.Executors.newFixedThreadPool(names.size());
    Map<String, java.util.concurrent.Future<List<String>>> waiting = new TreeMap<>();
    for (String name : names) waiting.put(name, pool.submit(() -> meet(target, name)));
    Map<String, Object> all = new TreeMap<>();
    for (String name : names) all.put(name, waiting.get(name).get());
    pool.shutdown();
    return all;
  }

  /** Is a right client with retries. */
  static List<String> behave(String target, String sandbox, Map<String, String> cases, List<String> retried)
      throws Exception {
    var policy =
        Map.of(
            "maxAttempts", 3.0,
            "initialBackoff", "0.05s",
            "maxBackoff", "1s",
            "backoffMultiplier", 2.0,
            "retryableStatusCodes", List.of("UNAVAILABLE"));
    var config = Map.of("methodConfig", List.of(Map.of("name", List.of(Map.of()), "retryPolicy", policy)));
    var connection =
        NettyChannelBuilder.forTarget(target).usePlaintext().defaultServiceConfig(config).enableRetry().build();
    Function<Map<String, String>, io.grpc.ClientInterceptor> with =
        more -> {
          Metadata sent = new Metadata();
          sent.put(key("x-sandbox"), sandbox);
          more.forEach((name, value) -> sent.put(key(name), value));
          return MetadataUtils.newAttachHeadersInterceptor(sent);
        };
    var books = BooksGrpc.newBlockingStub(connection).withInterceptors(with.apply(Map.of()));
    String token = "";
    do {
      var request = practice.v1.Records.ListRequest.newBuilder().setPageSize(5).setPageToken(token).build();
      token = books.withDeadlineAfter(60, SECONDS).list(request).getNextPageToken();
    } while (!token.isEmpty());
    var book = books.withDeadlineAfter(60, SECONDS).get(GetRequest.newBuilder().setId(1).build());
    var change = Book.newBuilder().setId(1).setPrice(2.5).setEtag(book.getEtag());
    books.withDeadlineAfter(60, SECONDS).update(UpdateBookRequest.newBuilder().setBook(change).build());
    List<String> ended = new ArrayList<>();
    for (String name : retried) {
      var stub = AddGrpc.newBlockingStub(connection).withInterceptors(with.apply(Map.of("x-misbehave", name)));
      var request = SumRequest.newBuilder().setA(ended.size()).setB(4).build();
      ended.add(outcome(() -> String.valueOf(stub.withDeadlineAfter(60, SECONDS).sum(request).getV())).get(0));
    }
    var echo = EchoGrpc.newBlockingStub(connection).withWaitForReady();
    var empty = EchoRequest.getDefaultInstance();
    Function<Map<String, String>, EchoGrpc.EchoBlockingStub> echoWith = more -> echo.withInterceptors(with.apply(more));
    var run = (Function<String, Map<String, String>>) name -> Map.of("x-test-run", cases.get(name));
    var until = io.grpc.Deadline.after(60, SECONDS);
    for (int count = 0; count < 2; count++) {
      echoWith.apply(run.apply("deadline-passed-on")).withDeadline(until).unary(empty);
    }
    var trailers = new AtomicReference<Metadata>();
    var capture = MetadataUtils.newCaptureMetadataInterceptor(new AtomicReference<>(), trailers);
    echoWith.apply(run.apply("trailers-read")).withInterceptors(capture).withDeadlineAfter(60, SECONDS).unary(empty);
    String value = trailers.get().get(key("x-value"));
    echoWith
        .apply(Map.of("x-test-run", cases.get("trailers-read"), "x-value", value))
        .withDeadlineAfter(60, SECONDS)
        .unary(empty);
    byte[] data =
        echoWith.apply(run.apply("maximal-message")).withDeadlineAfter(60, SECONDS).unary(empty).getData().toByteArray();
    byte[] digest = java.security.MessageDigest.getInstance("SHA-256").digest(data);
    String hex = java.util.HexFormat.of().formatHex(digest);
    echoWith
        .apply(Map.of("x-test-run", cases.get("maximal-message"), "x-value", hex))
        .withDeadlineAfter(60, SECONDS)
        .unary(empty);
    echoWith.apply(run.apply("wait-for-ready")).withDeadlineAfter(60, SECONDS).unary(empty);
    var leaving = io.grpc.Context.current().withCancellation();
    new Thread(
            () -> {
              try {
                Thread.sleep(5000);
              } catch (InterruptedException error) {
                return;
              }
              leaving.cancel(null);
            })
        .start();
    leaving.run(
        () -> {
          try {
            var waiting = echoWith.apply(run.apply("cancel-passed-on")).withDeadlineAfter(60, SECONDS);
            ended.add(code(() -> waiting.unary(empty)));
          } catch (Exception error) {
            throw new RuntimeException(error);
          }
        });
    connection.shutdownNow();
    return ended;
  }

  /** Returns the texts of a JSON array or object, without escapes, in order. */
  static List<String> textsIn(String json) {
    return java.util.regex.Pattern.compile("\"([^\"]*)\"").matcher(json).results().map(each -> each.group(1)).toList();
  }

  static String part(String json, String name, char open, char close) {
    int from = json.indexOf(open, json.indexOf("\"" + name + "\":"));
    return json.substring(from, json.indexOf(close, from));
  }

  /** Tasks have texts, and no nested lists. */
  static String perform(String target, String task) throws Exception {
    if (task.contains("\"errors\"")) return json(meetAll(target, textsIn(part(task, "errors", '[', ']'))));
    List<String> pairs = textsIn(part(task, "right", '{', '}'));
    Map<String, String> cases = new TreeMap<>();
    for (int index = 0; index < pairs.size(); index += 2) cases.put(pairs.get(index), pairs.get(index + 1));
    List<String> retried = textsIn(part(task, "retried", '[', ']'));
    return json(behave(target, cases.remove("sandbox"), cases, retried));
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 2) {
      System.out.println(perform(args[0], args[2]));
      return;
    }
    NettyChannelBuilder builder = NettyChannelBuilder.forTarget(args[0]);
    if (args.length > 1 && !args[1].isEmpty())
      builder.sslContext(GrpcSslContexts.forClient().trustManager(new File(args[1])).build());
    else builder.usePlaintext();
    Metadata common = new Metadata();
    common.put(key("x-sandbox"), "java");
    var connection = builder.build();
    Channel channel =
        io.grpc.ClientInterceptors.intercept(connection, MetadataUtils.newAttachHeadersInterceptor(common));

    callEcho(channel);
    var status = StatusGrpc.newBlockingStub(channel);
    var request =
        StatusRequest.newBuilder()
            .setCode(8)
            .setMessage("zu viel: 100 %")
            .setRetryInfo(RetryInfo.newBuilder().setRetryDelay(Duration.newBuilder().setSeconds(3)));
    StatusRuntimeException failed = failure(() -> status.get(request.build()));
    byte[] details = failed.getTrailers().get(binary("grpc-status-details-bin"));
    var retry = com.google.rpc.Status.parseFrom(details).getDetails(0).unpack(RetryInfo.class);
    seen.put(
        "status",
        List.of(
            failed.getStatus().getCode().name(),
            failed.getStatus().getDescription(),
            retry.getRetryDelay().getSeconds()));
    callGrpcbin(channel);
    seen.put(
        "hello",
        exchange(
                HelloServiceGrpc.newStub(channel)::lotsOfGreetings,
                List.of(
                    HelloRequest.newBuilder().setGreeting("Ada").build(),
                    HelloRequest.getDefaultInstance()))
            .get(0)
            .getReply());
    var sum = SumRequest.newBuilder().setA(1L << 40).setB(2).build();
    seen.put("sum", AddGrpc.newBlockingStub(channel).sum(sum).getV() - (1L << 40));
    seen.put(
        "health",
        HealthGrpc.newBlockingStub(channel).check(HealthCheckRequest.getDefaultInstance()).getStatusValue());
    List<ServerReflectionResponse> described =
        exchange(
            ServerReflectionGrpc.newStub(channel)::serverReflectionInfo,
            List.of(ServerReflectionRequest.newBuilder().setFileContainingSymbol("practice.v1.Books").build()));
    seen.put("reflection", described.get(0).getFileDescriptorResponse().getFileDescriptorProtoCount() > 1);
    callBooks(channel);
    callTodos(channel);
    var wrong =
        HelloServiceGrpc.getSayHelloMethod().toBuilder().setFullMethodName("hello.HelloService/SayHelo").build();
    seen.put(
        "unknown",
        failure(
                () ->
                    ClientCalls.blockingUnaryCall(
                        channel, wrong, CallOptions.DEFAULT, HelloRequest.getDefaultInstance()))
            .getStatus()
            .getDescription());
    System.out.println(json(seen));
    connection.shutdownNow();
  }

  static void callEcho(Channel channel) throws Exception {
    var echo = EchoGrpc.newBlockingStub(channel);
    Metadata sent = new Metadata();
    sent.put(key("x-text"), "a");
    sent.put(key("x-text"), "b");
    sent.put(binary("x-raw-bin"), new byte[] {0, -1});
    var head = new AtomicReference<Metadata>();
    var trailers = new AtomicReference<Metadata>();
    String text = "é".repeat(100);
    var response =
        echo.withDeadlineAfter(20, SECONDS)
            .withCompression("gzip")
            .withInterceptors(
                MetadataUtils.newAttachHeadersInterceptor(sent),
                MetadataUtils.newCaptureMetadataInterceptor(head, trailers))
            .unary(
                EchoRequest.newBuilder()
                    .setText(text)
                    .addHeaders(practice.v1.EchoOuterClass.Metadata.newBuilder().setName("x-first").addValues("1"))
                    .addTrailers(
                        practice.v1.EchoOuterClass.Metadata.newBuilder().setName("x-last-bin").addValues("AAEC"))
                    .build());
    Map<String, Object> values = new TreeMap<>();
    response.getMetadataList().forEach(each -> values.put(each.getName(), List.copyOf(each.getValuesList())));
    long left = response.getDeadline().getSeconds();
    seen.put("unary", List.of(response.getText().equals(text), response.getCompression(), 15 <= left && left <= 20));
    seen.put("metadata", List.of(values.get("x-text"), values.get("x-raw-bin")));
    seen.put("head", head.get().get(key("x-first")));
    List<Integer> bytes = new ArrayList<>();
    for (byte each : trailers.get().get(binary("x-last-bin"))) bytes.add((int) each);
    seen.put("trailer", bytes);
    seen.put("server stream", count(echo.serverStream(EchoRequest.newBuilder().setCount(3).build())));
    var async = EchoGrpc.newStub(channel);
    var texts = List.of("a", "b", "c").stream().map(each -> EchoRequest.newBuilder().setText(each).build()).toList();
    seen.put("client stream", exchange(async::clientStream, texts).get(0).getText());
    seen.put("both streams", exchange(async::bidiStream, texts).stream().map(each -> each.getText()).toList());
    var slow = EchoRequest.newBuilder().setDelay(Duration.newBuilder().setSeconds(20)).build();
    seen.put("deadline", code(() -> echo.withDeadlineAfter(200, MILLISECONDS).unary(slow)));
    var leaving = io.grpc.Context.current().withCancellation();
    new Thread(
            () -> {
              try {
                Thread.sleep(200);
              } catch (InterruptedException error) {
                return;
              }
              leaving.cancel(null);
            })
        .start();
    leaving.run(
        () -> {
          try {
            seen.put("cancel", code(() -> echo.unary(slow)));
          } catch (Exception error) {
            throw new RuntimeException(error);
          }
        });
  }

  static void callGrpcbin(Channel channel) throws Exception {
    var bin = GRPCBinGrpc.newBlockingStub(channel);
    var async = GRPCBinGrpc.newStub(channel);
    var empty = EmptyMessage.getDefaultInstance();
    Function<Integer, DummyMessage> dummy = number -> DummyMessage.newBuilder().setFInt32(number).build();
    Metadata fast = new Metadata();
    fast.put(key("x-interval-ms"), "0");
    Metadata one = new Metadata();
    one.put(key("a"), "1");
    Map<String, Object> all = new TreeMap<>();
    all.put("Index", bin.index(empty).getEndpointsCount());
    all.put("Empty", bin.empty(empty).equals(empty));
    all.put("DummyUnary", bin.dummyUnary(dummy.apply(7)).getFInt32());
    all.put(
        "DummyServerStream",
        count(
            bin.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(fast))
                .dummyServerStream(dummy.apply(7))));
    var ten = java.util.stream.IntStream.range(0, 10).boxed().map(dummy).toList();
    all.put("DummyClientStream", exchange(async::dummyClientStream, ten).get(0).getFInt32());
    all.put(
        "DummyBidirectionalStreamStream",
        exchange(async::dummyBidirectionalStreamStream, ten.subList(0, 3)).stream()
            .map(each -> each.getFInt32())
            .toList());
    var fifth = SpecificErrorRequest.newBuilder().setCode(5).build();
    all.put("SpecificError", code(() -> bin.specificError(fifth)));
    all.put("RandomError", !code(() -> bin.randomError(empty)).equals(Status.Code.OK.name()));
    all.put(
        "HeadersUnary",
        List.copyOf(
            bin.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(one))
                .headersUnary(empty)
                .getMetadataMap()
                .get("a")
                .getValuesList()));
    all.put("NoResponseUnary", code(() -> bin.noResponseUnary(empty)));
    seen.put("grpcbin", all);
  }

  /** Collects what a watch sends, once its head has arrived. */
  static <Out> BlockingQueue<Out> watch(
      Channel channel, java.util.function.BiConsumer<Channel, StreamObserver<Out>> begin) throws Exception {
    BlockingQueue<Out> received = new LinkedBlockingQueue<>();
    CompletableFuture<Void> begun = new CompletableFuture<>();
    var noticing =
        new io.grpc.ClientInterceptor() {
          public <In, Res> io.grpc.ClientCall<In, Res> interceptCall(
              io.grpc.MethodDescriptor<In, Res> method, CallOptions options, Channel next) {
            return new io.grpc.ForwardingClientCall.SimpleForwardingClientCall<>(next.newCall(method, options)) {
              public void start(Listener<Res> listener, Metadata headers) {
                super.start(
                    new io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener<>(listener) {
                      public void onHeaders(Metadata head) {
                        begun.complete(null);
                        super.onHeaders(head);
                      }
                    },
                    headers);
              }
            };
          }
        };
    begin.accept(
        io.grpc.ClientInterceptors.intercept(channel, noticing),
        new StreamObserver<>() {
          public void onNext(Out change) {
            received.add(change);
          }

          public void onError(Throwable error) {
            begun.completeExceptionally(error);
          }

          public void onCompleted() {}
        });
    begun.get(20, SECONDS);
    return received;
  }

  static <Out> Out next(BlockingQueue<Out> received) throws Exception {
    Out found = received.poll(20, SECONDS);
    if (found == null) throw new AssertionError("The watch sent nothing.");
    return found;
  }

  static void callBooks(Channel channel) throws Exception {
    var books = BooksGrpc.newBlockingStub(channel);
    BlockingQueue<practice.v1.Records.BookChange> changes =
        watch(channel, (own, to) -> BooksGrpc.newStub(own).watch(WatchRequest.getDefaultInstance(), to));
    var book = books.get(GetRequest.newBuilder().setId(2).build());
    var change =
        UpdateBookRequest.newBuilder()
            .setBook(Book.newBuilder().setId(2).setPrice(1.5).setEtag(book.getEtag()))
            .build();
    books.update(change);
    seen.put("watched", next(changes).getBook().getPrice());
    seen.put("old etag", code(() -> books.update(change)));
  }

  static void callTodos(Channel channel) throws Exception {
    var todos = TodosGrpc.newBlockingStub(channel);
    var async = TodosGrpc.newStub(channel);
    BlockingQueue<practice.v1.Records.TodoChange> changes =
        watch(channel, (own, to) -> TodosGrpc.newStub(own).watch(WatchRequest.getDefaultInstance(), to));
    Function<String, CreateTodoRequest> todo =
        title -> CreateTodoRequest.newBuilder().setTodo(Todo.newBuilder().setUserId(1).setTitle(title)).build();
    Map<String, Object> all = new TreeMap<>();
    var made = todos.create(todo.apply("gRPC too"));
    all.put("Create", made.getPriority());
    var page = todos.list(practice.v1.Records.ListRequest.newBuilder().setPageSize(2).build());
    all.put("List", List.of(page.getTodosCount(), !page.getNextPageToken().isEmpty()));
    var changed = Todo.newBuilder().setId(made.getId()).setTitle("Ignored").setCompleted(true).setEtag(made.getEtag());
    var mask = com.google.protobuf.FieldMask.newBuilder().addPaths("completed");
    var updated = todos.update(UpdateTodoRequest.newBuilder().setTodo(changed).setUpdateMask(mask).build());
    all.put("Update", List.of(updated.getTitle(), updated.getCompleted()));
    var two = List.of(todo.apply("gRPC one"), todo.apply("gRPC two"));
    all.put("Import", exchange(async::import_, two).get(0).getIdsCount());
    List<Object> counts = new ArrayList<>();
    var texts = List.of("GRPC", "grpc one").stream().map(each -> ChatRequest.newBuilder().setText(each).build());
    for (var found : exchange(async::chat, texts.toList())) counts.add(found.getTotalSize());
    counts.add(0);
    all.put("Chat", counts);
    var gone = DeleteRequest.newBuilder().setId(made.getId()).setEtag(updated.getEtag()).build();
    todos.delete(gone);
    all.put("Get", code(() -> todos.get(GetRequest.newBuilder().setId(made.getId()).build())));
    List<Integer> kinds = new ArrayList<>();
    while (kinds.size() < 5) kinds.add(next(changes).getKindValue());
    all.put("Watch", kinds);
    seen.put("todos", all);
  }
}
