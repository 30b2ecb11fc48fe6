// Calls methods with grpc-go, and prints what it saw as JSON. Arguments: target, CA file, task.
// Without a task, it calls all kinds of methods; client.py describes the tasks.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	addsvc "practice/addsvc"
	grpcbin "practice/grpcbin"
	hello "practice/hello"
	practicev1 "practice/v1"

	"github.com/golang/protobuf/ptypes/duration"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/genproto/protobuf/field_mask"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/encoding/gzip"
	health "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflection "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/grpc/status"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

type task struct {
	Errors  []string
	Retried []string
	Right   map[string]string
}

func perform(text string, target string) {
	var given task
	must(json.Unmarshal([]byte(text), &given))
	var seen interface{}
	if given.Right != nil {
		seen = behave(given, target)
	} else {
		all := map[string][]string{}
		var lock sync.Mutex
		var waiting sync.WaitGroup
		for _, name := range given.Errors {
			waiting.Add(1)
			go func(name string) {
				defer waiting.Done()
				met := meet(name, target)
				lock.Lock()
				defer lock.Unlock()
				all[name] = met
			}(name)
		}
		waiting.Wait()
		seen = all
	}
	printed, err := json.Marshal(seen)
	must(err)
	fmt.Println(string(printed))
}

// Codes as the standard writes them.
func codeName(code codes.Code) string {
	names := []string{"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
		"ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
		"OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"}
	if int(code) < len(names) {
		return names[code]
	}
	return fmt.Sprint(int(code))
}

// Calls with a misbehaviour on a connection of its own.
func meet(name string, target string) []string {
	conn, err := grpc.Dial(target, grpc.WithInsecure(), grpc.WithBlock())
	must(err)
	defer conn.Close()
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
	defer stop()
	ctx = metadata.AppendToOutgoingContext(ctx, "x-misbehave", name)
	sum, err := addsvc.NewAddClient(conn).Sum(ctx, &addsvc.SumRequest{A: 3, B: 4})
	if err == nil {
		return []string{"OK", fmt.Sprint(sum.V)}
	}
	return []string{codeName(status.Code(err)), status.Convert(err).Message()}
}

const retries = `{"methodConfig": [{"name": [{"service": "addsvc.Add"}, {"service": "practice.v1.Echo"}],
	"retryPolicy": {"maxAttempts": 3, "initialBackoff": "0.05s", "maxBackoff": "1s", "backoffMultiplier": 2,
	"retryableStatusCodes": ["UNAVAILABLE"]}}]}`

// Is a right client with retries, whose messages are compressed.
func behave(given task, target string) []string {
	conn, err := grpc.Dial(target, grpc.WithInsecure(), grpc.WithDefaultServiceConfig(retries),
		grpc.WithDefaultCallOptions(grpc.UseCompressor(gzip.Name), grpc.WaitForReady(true)))
	must(err)
	defer conn.Close()
	base := metadata.AppendToOutgoingContext(context.Background(), "x-sandbox", given.Right["sandbox"])
	within := func(seconds float64, more ...string) context.Context {
		wait := time.Duration(seconds * float64(time.Second))
		ctx, _ := context.WithTimeout(metadata.AppendToOutgoingContext(base, more...), wait)
		return ctx
	}
	books := practicev1.NewBooksClient(conn)
	token := ""
	for {
		page, err := books.List(within(60), &practicev1.ListRequest{PageSize: 5, PageToken: token})
		must(err)
		token = page.NextPageToken
		if token == "" {
			break
		}
	}
	book, err := books.Get(within(60), &practicev1.GetRequest{Id: 1})
	must(err)
	_, err = books.Update(within(60), &practicev1.UpdateBookRequest{Book: &practicev1.Book{Id: 1, Price: 2.5, Etag: book.Etag}})
	must(err)
	ended := []string{}
	for number, name := range given.Retried {
		request := &addsvc.SumRequest{A: int64(number), B: 4}
		_, err = addsvc.NewAddClient(conn).Sum(within(60, "x-misbehave", name), request)
		ended = append(ended, codeName(status.Code(err)))
	}
	echo := practicev1.NewEchoClient(conn)
	var trailer metadata.MD
	unary := func(name string, seconds float64, more ...string) *practicev1.EchoResponse {
		sent := append([]string{"x-test-run", given.Right[name]}, more...)
		response, err := echo.Unary(within(seconds, sent...), &practicev1.EchoRequest{}, grpc.Trailer(&trailer))
		must(err)
		return response
	}
	until := time.Now().Add(60 * time.Second)
	unary("deadline-passed-on", 60)
	unary("deadline-passed-on", time.Until(until).Seconds())
	unary("trailers-read", 60)
	unary("trailers-read", 60, "x-value", trailer.Get("x-value")[0])
	digest := sha256.Sum256(unary("maximal-message", 60).Data)
	unary("maximal-message", 60, "x-value", hex.EncodeToString(digest[:]))
	unary("wait-for-ready", 60)
	leaving, leave := context.WithCancel(within(60, "x-test-run", given.Right["cancel-passed-on"]))
	time.AfterFunc(5*time.Second, leave)
	_, err = echo.Unary(leaving, &practicev1.EchoRequest{})
	return append(ended, codeName(status.Code(err)))
}

func main() {
	security := grpc.WithInsecure()
	if len(os.Args) > 2 && os.Args[2] != "" {
		own, err := credentials.NewClientTLSFromFile(os.Args[2], "")
		must(err)
		security = grpc.WithTransportCredentials(own)
	}
	if len(os.Args) > 3 {
		perform(os.Args[3], os.Args[1])
		return
	}
	conn, err := grpc.Dial(os.Args[1], security)
	must(err)
	ctx := metadata.AppendToOutgoingContext(context.Background(), "x-sandbox", "go")
	seen := map[string]interface{}{}

	echo := practicev1.NewEchoClient(conn)
	long := strings.Repeat("é", 100)
	sent := metadata.AppendToOutgoingContext(ctx, "x-text", "a", "x-text", "b", "x-raw-bin", "\x00\xff")
	timed, stop := context.WithTimeout(sent, 20*time.Second)
	defer stop()
	var head, trailer metadata.MD
	response, err := echo.Unary(timed, &practicev1.EchoRequest{Text: long,
		Headers:  []*practicev1.Metadata{{Name: "x-first", Values: []string{"1"}}},
		Trailers: []*practicev1.Metadata{{Name: "x-last-bin", Values: []string{"AAEC"}}}},
		grpc.UseCompressor(gzip.Name), grpc.Header(&head), grpc.Trailer(&trailer))
	must(err)
	values := map[string][]string{}
	for _, each := range response.Metadata {
		values[each.Name] = each.Values
	}
	left := response.Deadline.Seconds
	seen["unary"] = []interface{}{response.Text == long, response.Compression, 15 <= left && left <= 20}
	seen["metadata"] = []interface{}{values["x-text"], values["x-raw-bin"]}
	seen["head"] = head.Get("x-first")[0]
	bytes := []int{}
	for _, each := range []byte(trailer.Get("x-last-bin")[0]) {
		bytes = append(bytes, int(each))
	}
	seen["trailer"] = bytes

	count := 0
	stream, err := echo.ServerStream(ctx, &practicev1.EchoRequest{Count: 3})
	must(err)
	for {
		if _, err := stream.Recv(); err == io.EOF {
			break
		} else {
			must(err)
		}
		count++
	}
	seen["server stream"] = count
	sending, err := echo.ClientStream(ctx)
	must(err)
	both, err := echo.BidiStream(ctx)
	must(err)
	back := []string{}
	for _, text := range []string{"a", "b", "c"} {
		must(sending.Send(&practicev1.EchoRequest{Text: text}))
		must(both.Send(&practicev1.EchoRequest{Text: text}))
		received, err := both.Recv()
		must(err)
		back = append(back, received.Text)
	}
	joined, err := sending.CloseAndRecv()
	must(err)
	seen["client stream"] = joined.Text
	must(both.CloseSend())
	_, err = both.Recv()
	if err != io.EOF {
		panic(err)
	}
	seen["both streams"] = back

	slow := &practicev1.EchoRequest{Delay: &duration.Duration{Seconds: 20}}
	short, end := context.WithTimeout(ctx, 200*time.Millisecond)
	_, err = echo.Unary(short, slow)
	end()
	seen["deadline"] = codeName(status.Code(err))
	leaving, leave := context.WithCancel(ctx)
	time.AfterFunc(200*time.Millisecond, leave)
	_, err = echo.Unary(leaving, slow)
	seen["cancel"] = codeName(status.Code(err))

	_, err = practicev1.NewStatusClient(conn).Get(ctx, &practicev1.StatusRequest{Code: 8, Message: "zu viel: 100 %",
		RetryInfo: &errdetails.RetryInfo{RetryDelay: &duration.Duration{Seconds: 3}}})
	failed := status.Convert(err)
	retry := failed.Details()[0].(*errdetails.RetryInfo)
	seen["status"] = []interface{}{codeName(status.Code(err)), failed.Message(), retry.RetryDelay.Seconds}

	seen["grpcbin"] = callGrpcbin(ctx, grpcbin.NewGRPCBinClient(conn))
	greeting := "Ada"
	greetings, err := hello.NewHelloServiceClient(conn).LotsOfGreetings(ctx)
	must(err)
	must(greetings.Send(&hello.HelloRequest{Greeting: &greeting}))
	must(greetings.Send(&hello.HelloRequest{}))
	reply, err := greetings.CloseAndRecv()
	must(err)
	seen["hello"] = reply.GetReply()
	sum, err := addsvc.NewAddClient(conn).Sum(ctx, &addsvc.SumRequest{A: 1 << 40, B: 2})
	must(err)
	seen["sum"] = sum.V - 1<<40
	healthy, err := health.NewHealthClient(conn).Check(ctx, &health.HealthCheckRequest{})
	must(err)
	seen["health"] = int(healthy.Status)
	reflecting, err := reflection.NewServerReflectionClient(conn).ServerReflectionInfo(ctx)
	must(err)
	must(reflecting.Send(&reflection.ServerReflectionRequest{MessageRequest: &reflection.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: "practice.v1.Books"}}))
	described, err := reflecting.Recv()
	must(err)
	seen["reflection"] = len(described.GetFileDescriptorResponse().FileDescriptorProto) > 1

	books := practicev1.NewBooksClient(conn)
	watch, err := books.Watch(ctx, &practicev1.WatchRequest{})
	must(err)
	_, err = watch.Header()
	must(err)
	book, err := books.Get(ctx, &practicev1.GetRequest{Id: 2})
	must(err)
	change := &practicev1.UpdateBookRequest{Book: &practicev1.Book{Id: 2, Price: 1.5, Etag: book.Etag}}
	_, err = books.Update(ctx, change)
	must(err)
	changed, err := watch.Recv()
	must(err)
	seen["watched"] = changed.Book.Price
	_, err = books.Update(ctx, change)
	seen["old etag"] = codeName(status.Code(err))
	seen["todos"] = callTodos(ctx, practicev1.NewTodosClient(conn))
	err = conn.Invoke(ctx, "/hello.HelloService/SayHelo", &hello.HelloRequest{}, &hello.HelloResponse{})
	seen["unknown"] = status.Convert(err).Message()
	text, err := json.Marshal(seen)
	must(err)
	fmt.Println(string(text))
}

func callTodos(ctx context.Context, todos practicev1.TodosClient) map[string]interface{} {
	seen := map[string]interface{}{}
	watch, err := todos.Watch(ctx, &practicev1.WatchRequest{})
	must(err)
	_, err = watch.Header()
	must(err)
	todo := func(title string) *practicev1.CreateTodoRequest {
		return &practicev1.CreateTodoRequest{Todo: &practicev1.Todo{UserId: 1, Title: title}}
	}
	made, err := todos.Create(ctx, todo("gRPC too"))
	must(err)
	seen["Create"] = made.Priority
	page, err := todos.List(ctx, &practicev1.ListRequest{PageSize: 2})
	must(err)
	seen["List"] = []interface{}{len(page.Todos), page.NextPageToken != ""}
	updated, err := todos.Update(ctx, &practicev1.UpdateTodoRequest{
		Todo:       &practicev1.Todo{Id: made.Id, Title: "Ignored", Completed: true, Etag: made.Etag},
		UpdateMask: &field_mask.FieldMask{Paths: []string{"completed"}}})
	must(err)
	seen["Update"] = []interface{}{updated.Title, updated.Completed}
	importing, err := todos.Import(ctx)
	must(err)
	must(importing.Send(todo("gRPC one")))
	must(importing.Send(todo("gRPC two")))
	imported, err := importing.CloseAndRecv()
	must(err)
	seen["Import"] = len(imported.Ids)
	chat, err := todos.Chat(ctx)
	must(err)
	counts := []int32{}
	for _, text := range []string{"GRPC", "grpc one"} {
		must(chat.Send(&practicev1.ChatRequest{Text: text}))
		found, err := chat.Recv()
		must(err)
		counts = append(counts, found.TotalSize)
	}
	must(chat.CloseSend())
	if _, err = chat.Recv(); err != io.EOF {
		panic(err)
	}
	seen["Chat"] = append(counts, 0)
	_, err = todos.Delete(ctx, &practicev1.DeleteRequest{Id: made.Id, Etag: updated.Etag})
	must(err)
	_, err = todos.Get(ctx, &practicev1.GetRequest{Id: made.Id})
	seen["Get"] = codeName(status.Code(err))
	kinds := []int32{}
	for len(kinds) < 5 {
		change, err := watch.Recv()
		must(err)
		kinds = append(kinds, int32(change.Kind))
	}
	seen["Watch"] = kinds
	return seen
}

func callGrpcbin(ctx context.Context, bin grpcbin.GRPCBinClient) map[string]interface{} {
	seen := map[string]interface{}{}
	empty := &grpcbin.EmptyMessage{}
	index, err := bin.Index(ctx, empty)
	must(err)
	seen["Index"] = len(index.Endpoints)
	_, err = bin.Empty(ctx, empty)
	seen["Empty"] = err == nil
	dummy := &grpcbin.DummyMessage{FInt32: 7}
	same, err := bin.DummyUnary(ctx, dummy)
	must(err)
	seen["DummyUnary"] = same.FInt32
	stream, err := bin.DummyServerStream(metadata.AppendToOutgoingContext(ctx, "x-interval-ms", "0"), dummy)
	must(err)
	count := 0
	for {
		if _, err := stream.Recv(); err == io.EOF {
			break
		} else {
			must(err)
		}
		count++
	}
	seen["DummyServerStream"] = count
	sending, err := bin.DummyClientStream(ctx)
	must(err)
	for number := int32(0); number < 10; number++ {
		must(sending.Send(&grpcbin.DummyMessage{FInt32: number}))
	}
	last, err := sending.CloseAndRecv()
	must(err)
	seen["DummyClientStream"] = last.FInt32
	both, err := bin.DummyBidirectionalStreamStream(ctx)
	must(err)
	numbers := []int32{}
	for number := int32(0); number < 3; number++ {
		must(both.Send(&grpcbin.DummyMessage{FInt32: number}))
		received, err := both.Recv()
		must(err)
		numbers = append(numbers, received.FInt32)
	}
	seen["DummyBidirectionalStreamStream"] = numbers
	_, err = bin.SpecificError(ctx, &grpcbin.SpecificErrorRequest{Code: 5})
	seen["SpecificError"] = codeName(status.Code(err))
	_, err = bin.RandomError(ctx, empty)
	seen["RandomError"] = err != nil
	headers, err := bin.HeadersUnary(metadata.AppendToOutgoingContext(ctx, "a", "1"), empty)
	must(err)
	seen["HeadersUnary"] = headers.Metadata["a"].Values
	_, err = bin.NoResponseUnary(ctx, empty)
	seen["NoResponseUnary"] = codeName(status.Code(err))
	return seen
}
