"""Calls methods with the C core, and prints what it saw as JSON. Arguments: folder, target, CA file, task.

Without a task, it calls all kinds of methods. A task is JSON: `errors` has names of misbehaviours, which it meets.
`right` has a sandbox, in which it is a right client, and the metadata of cases; `retried` has names of misbehaviours.
"""

import hashlib
import itertools
import json
import os
import queue
import sys
import threading
import time

folder, target, *more = sys.argv[1:]
sys.path.insert(0, folder)

import grpc
from google.rpc import error_details_pb2, status_pb2
import addsvc_pb2, addsvc_pb2_grpc, grpcbin_pb2, grpcbin_pb2_grpc, hello_pb2, hello_pb2_grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1 import reflection_pb2, reflection_pb2_grpc
from practice.v1 import echo_pb2, echo_pb2_grpc, records_pb2, records_pb2_grpc, status_pb2 as ending_pb2
from practice.v1 import status_pb2_grpc as ending_pb2_grpc

task = json.loads(more[1]) if len(more) > 1 else {}
metadata = [("x-sandbox", task.get("right", {}).get("sandbox", "python"))]


def failure(call):
    try:
        call()
    except grpc.RpcError as error:
        return error
    raise AssertionError("The call succeeded.")


def meet(name):
    """Calls with a misbehaviour on a connection of its own, and returns the code with its message."""
    with grpc.insecure_channel(target) as own:
        # The deadline is for the call: a busy machine needs seconds to connect.
        grpc.channel_ready_future(own).result()
        try:
            sum = addsvc_pb2_grpc.AddStub(own).Sum
            reply = sum(addsvc_pb2.SumRequest(a=3, b=4), timeout=30, metadata=[("x-misbehave", name)])
            return ["OK", str(reply and reply.v)]
        except grpc.RpcError as error:
            return [error.code().name, error.details()]


def meet_all(names):
    """Meets each in a process of its own, because some cases end the process."""
    children = {}
    for name in names:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writing, json.dumps(meet(name)).encode())
            os._exit(0)
        os.close(writing)
        children[name] = (child, reading)
    met = {}
    for name, (child, reading) in children.items():
        with os.fdopen(reading) as file:
            text = file.read()
        status = os.waitpid(child, 0)[1]
        met[name] = json.loads(text) if text else ["CRASH", f"signal {os.WTERMSIG(status)}"]
    return met


def behave(cases):
    """Is a right client with retries, which also calls in parallel."""
    policy = {"maxAttempts": 3, "initialBackoff": "0.05s", "maxBackoff": "1s", "backoffMultiplier": 2}
    method = {"name": [{}], "retryPolicy": {**policy, "retryableStatusCodes": ["UNAVAILABLE"]}}
    options = [("grpc.enable_retries", 1), ("grpc.service_config", json.dumps({"methodConfig": [method]}))]
    own = grpc.insecure_channel(target, options)
    books = records_pb2_grpc.BooksStub(own)
    token = ""
    while True:
        page = books.List(records_pb2.ListRequest(page_size=5, page_token=token), timeout=60, metadata=metadata)
        token = page.next_page_token
        if not token:
            break
    book = books.Get(records_pb2.GetRequest(id=1), timeout=60, metadata=metadata)
    change = records_pb2.Book(id=1, price=2.5, etag=book.etag)
    books.Update(records_pb2.UpdateBookRequest(book=change), timeout=60, metadata=metadata)
    sum = addsvc_pb2_grpc.AddStub(own).Sum
    waiting = [
        sum.future(addsvc_pb2.SumRequest(a=3, b=4), timeout=60, metadata=[*metadata, ("x-misbehave", name)])
        for name in task["retried"]
    ]
    ended = [each.exception().code().name for each in waiting]
    echo = echo_pb2_grpc.EchoStub(own)
    empty = echo_pb2.EchoRequest()

    def unary(name, timeout=60, *more):
        sent = [*metadata, ("x-test-run", cases[name]), *more]
        return echo.Unary.with_call(empty, timeout=timeout, wait_for_ready=True, metadata=sent)

    until = time.monotonic() + 60
    unary("deadline-passed-on", 60)
    unary("deadline-passed-on", until - time.monotonic())
    _, first = unary("trailers-read")
    unary("trailers-read", 60, ("x-value", dict(first.trailing_metadata())["x-value"]))
    response, _ = unary("maximal-message")
    unary("maximal-message", 60, ("x-value", hashlib.sha256(response.data).hexdigest()))
    unary("wait-for-ready")
    sent = [*metadata, ("x-test-run", cases["cancel-passed-on"])]
    left = echo.Unary.future(empty, timeout=60, metadata=sent)
    threading.Timer(5, left.cancel).start()
    try:
        left.result()
    except grpc.FutureCancelledError:
        ended.append("CANCELLED")
    return ended


if "errors" in task:
    print(json.dumps(meet_all(task["errors"])))
    sys.exit()
if "right" in task:
    print(json.dumps(behave(task["right"])))
    sys.exit()

if more and more[0]:
    with open(more[0], "rb") as file:
        channel = grpc.secure_channel(target, grpc.ssl_channel_credentials(file.read()))
else:
    channel = grpc.insecure_channel(target)
seen = {}

echo = echo_pb2_grpc.EchoStub(channel)
response, call = echo.Unary.with_call(
    echo_pb2.EchoRequest(
        text="é" * 100,
        headers=[echo_pb2.Metadata(name="x-first", values=["1"])],
        trailers=[echo_pb2.Metadata(name="x-last-bin", values=["AAEC"])],
    ),
    timeout=20,
    compression=grpc.Compression.Gzip,
    metadata=[*metadata, ("x-text", "a"), ("x-text", "b"), ("x-raw-bin", b"\x00\xff")],
)
sent = {each.name: list(each.values) for each in response.metadata}
seen["unary"] = [response.text == "é" * 100, response.compression, 15 <= response.deadline.seconds <= 20]
seen["metadata"] = [sent["x-text"], sent["x-raw-bin"]]
seen["head"] = dict(call.initial_metadata())["x-first"]
seen["trailer"] = list(dict(call.trailing_metadata())["x-last-bin"])
seen["server stream"] = len(list(echo.ServerStream(echo_pb2.EchoRequest(count=3), metadata=metadata)))
texts = [echo_pb2.EchoRequest(text=text) for text in "abc"]
seen["client stream"] = echo.ClientStream(iter(texts), metadata=metadata).text
seen["both streams"] = [each.text for each in echo.BidiStream(iter(texts), metadata=metadata)]

slow = echo_pb2.EchoRequest()
slow.delay.FromSeconds(20)
seen["deadline"] = failure(lambda: echo.Unary(slow, timeout=0.2, metadata=metadata)).code().name
waiting = echo.Unary.future(slow, metadata=metadata)
threading.Timer(0.2, waiting.cancel).start()
try:
    waiting.result()
except grpc.FutureCancelledError:
    seen["cancel"] = "CANCELLED"

ending = ending_pb2_grpc.StatusStub(channel)
request = ending_pb2.StatusRequest(code=8, message="zu viel: 100 %")
request.retry_info.retry_delay.FromSeconds(3)
error = failure(lambda: ending.Get(request, metadata=metadata))
status = status_pb2.Status.FromString(dict(error.trailing_metadata())["grpc-status-details-bin"])
retry = error_details_pb2.RetryInfo()
status.details[0].Unpack(retry)
seen["status"] = [error.code().name, error.details(), retry.retry_delay.seconds]

bin = grpcbin_pb2_grpc.GRPCBinStub(channel)
dummy = lambda number: grpcbin_pb2.DummyMessage(f_int32=number)
empty = grpcbin_pb2.EmptyMessage()
fast = [*metadata, ("x-interval-ms", "0")]
seen["grpcbin"] = {
    "Index": len(bin.Index(empty).endpoints),
    "Empty": bin.Empty(empty) == empty,
    "DummyUnary": bin.DummyUnary(dummy(7)).f_int32,
    "DummyServerStream": len(list(bin.DummyServerStream(dummy(7), metadata=fast))),
    "DummyClientStream": bin.DummyClientStream(dummy(number) for number in range(10)).f_int32,
    "DummyBidirectionalStreamStream": [
        each.f_int32 for each in bin.DummyBidirectionalStreamStream(dummy(number) for number in range(3))
    ],
    "SpecificError": failure(lambda: bin.SpecificError(grpcbin_pb2.SpecificErrorRequest(code=5))).code().name,
    "RandomError": failure(lambda: bin.RandomError(empty)).code() != grpc.StatusCode.OK,
    "HeadersUnary": list(bin.HeadersUnary(empty, metadata=[("a", "1")]).Metadata["a"].values),
    "NoResponseUnary": failure(lambda: bin.NoResponseUnary(empty)).code().name,
}
hello = hello_pb2_grpc.HelloServiceStub(channel)
seen["hello"] = hello.LotsOfGreetings(iter([hello_pb2.HelloRequest(greeting="Ada"), hello_pb2.HelloRequest()])).reply
seen["sum"] = addsvc_pb2_grpc.AddStub(channel).Sum(addsvc_pb2.SumRequest(a=2**40, b=2)).v - 2**40
seen["health"] = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest()).status
reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
asked = reflection_pb2.ServerReflectionRequest(file_containing_symbol="practice.v1.Books")
answer = next(reflection.ServerReflectionInfo(iter([asked])))
seen["reflection"] = len(answer.file_descriptor_response.file_descriptor_proto) > 1

books = records_pb2_grpc.BooksStub(channel)
watch = books.Watch(records_pb2.WatchRequest(), metadata=metadata)
watch.initial_metadata()
book = books.Get(records_pb2.GetRequest(id=2), metadata=metadata)
change = records_pb2.UpdateBookRequest(book=records_pb2.Book(id=2, price=1.5, etag=book.etag))
books.Update(change, metadata=metadata)
seen["watched"] = next(watch).book.price
watch.cancel()
seen["old etag"] = failure(lambda: books.Update(change, metadata=metadata)).code().name
todos = records_pb2_grpc.TodosStub(channel)
watch = todos.Watch(records_pb2.WatchRequest(), metadata=metadata)
watch.initial_metadata()
todo = lambda title: records_pb2.CreateTodoRequest(todo=records_pb2.Todo(user_id=1, title=title))
made = todos.Create(todo("gRPC too"), metadata=metadata)
get = records_pb2.GetRequest(id=made.id)
page = todos.List(records_pb2.ListRequest(page_size=2), metadata=metadata)
change = records_pb2.UpdateTodoRequest(
    todo=records_pb2.Todo(id=made.id, title="Ignored", completed=True, etag=made.etag),
    update_mask={"paths": ["completed"]},
)
updated = todos.Update(change, metadata=metadata)
imported = todos.Import(iter([todo("gRPC one"), todo("gRPC two")]), metadata=metadata)
texts = queue.Queue()
chat = todos.Chat(iter(texts.get, None), metadata=metadata)
counts = []
for text in ["GRPC", "grpc one"]:
    texts.put(records_pb2.ChatRequest(text=text))
    counts.append(next(chat).total_size)
texts.put(None)
todos.Delete(records_pb2.DeleteRequest(id=made.id, etag=updated.etag), metadata=metadata)
seen["todos"] = {
    "Create": made.priority,
    "Get": failure(lambda: todos.Get(get, metadata=metadata)).code().name,
    "List": [len(page.todos), bool(page.next_page_token)],
    "Update": [updated.title, updated.completed],
    "Import": len(imported.ids),
    "Chat": [*counts, len(list(chat))],
    "Watch": [each.kind for each in itertools.islice(watch, 5)],
}
watch.cancel()
seen["unknown"] = failure(lambda: channel.unary_unary("/hello.HelloService/SayHelo")(b"")).details()
print(json.dumps(seen))
