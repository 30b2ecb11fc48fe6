/** How clients call the service, as lines to copy. */

interface ClientSetup {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

const setup = (title: string, ...lines: readonly string[]): ClientSetup => ({
  id: title.toLowerCase(),
  title,
  text: lines.join('\n'),
});

export function setupsFor(target: string, sandbox: string): readonly ClientSetup[] {
  return [
    setup(
      'grpcurl',
      `grpcurl -plaintext ${target} list`,
      `grpcurl -plaintext -max-time 5 -H 'x-sandbox: ${sandbox}' -d '{"id": 1}' ${target} practice.v1.Books/Get`,
    ),
    setup(
      'buf',
      `buf curl --protocol grpc --http2-prior-knowledge -d '{"greeting": "Ada"}' http://${target}/hello.HelloService/SayHello`,
    ),
    setup(
      'Go',
      `conn, err := grpc.Dial("${target}", grpc.WithInsecure())`,
      'ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)',
      'defer cancel()',
      `ctx = metadata.AppendToOutgoingContext(ctx, "x-sandbox", "${sandbox}")`,
      'book, err := practicev1.NewBooksClient(conn).Get(ctx, &practicev1.GetRequest{Id: 1})',
    ),
    setup(
      'Java',
      `var channel = ManagedChannelBuilder.forTarget("${target}").usePlaintext().build();`,
      'var metadata = new Metadata();',
      `metadata.put(Metadata.Key.of("x-sandbox", Metadata.ASCII_STRING_MARSHALLER), "${sandbox}");`,
      'var own = MetadataUtils.newAttachHeadersInterceptor(metadata);',
      'var books = BooksGrpc.newBlockingStub(channel).withInterceptors(own).withDeadlineAfter(5, SECONDS);',
      'var book = books.get(GetRequest.newBuilder().setId(1).build());',
    ),
    setup(
      'Python',
      `channel = grpc.insecure_channel("${target}")`,
      'books = records_pb2_grpc.BooksStub(channel)',
      `book = books.Get(records_pb2.GetRequest(id=1), timeout=5, metadata=[("x-sandbox", "${sandbox}")])`,
    ),
    setup(
      'Node',
      `const books = new practice.v1.Books('${target}', grpc.credentials.createInsecure());`,
      'const metadata = new grpc.Metadata();',
      `metadata.set('x-sandbox', '${sandbox}');`,
      'const options = { deadline: Date.now() + 5000 };',
      'books.Get({ id: 1 }, metadata, options, (error, book) => console.log(error ?? book));',
    ),
    setup(
      'connect-web',
      `const transport = createConnectTransport({ baseUrl: 'http://${target}' });`,
      'const books = createClient(Books, transport);',
      `const headers = { 'x-sandbox': '${sandbox}' };`,
      'const book = await books.get({ id: 1 }, { headers, timeoutMs: 5000 });',
    ),
    setup(
      'C#',
      `using var channel = GrpcChannel.ForAddress("http://${target}");`,
      'var books = new Books.BooksClient(channel);',
      `var metadata = new Metadata { { "x-sandbox", "${sandbox}" } };`,
      'var deadline = DateTime.UtcNow.AddSeconds(5);',
      'var book = await books.GetAsync(new GetRequest { Id = 1 }, metadata, deadline);',
    ),
  ];
}
