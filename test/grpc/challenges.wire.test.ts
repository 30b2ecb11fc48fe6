/** The challenges about gRPC, solved in binary form by frames of gRPC and gRPC-Web. */

import { expect, test } from 'vitest';
import { HelloRequestSchema } from '../../src/areas/grpc/generated/hello_pb.js';
import { EchoRequestSchema } from '../../src/areas/grpc/generated/practice/v1/echo_pb.js';
import {
  BookSchema,
  CreateBookRequestSchema,
  GetRequestSchema,
  ListBooksResponseSchema,
  ListRequestSchema,
  UpdateBookRequestSchema,
} from '../../src/areas/grpc/generated/practice/v1/records_pb.js';
import { callRaw, messageOf, messagesIn } from '../support/grpc-call.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

type Call = (
  path: string,
  body: Buffer,
  headers?: Readonly<Record<string, string>>,
) => ReturnType<typeof callRaw>;

const hello = '/hello.HelloService/SayHello';
const echo = '/practice.v1.Echo/Unary';
const ada = messageOf(HelloRequestSchema, { greeting: 'Ada' });
const none = messageOf(EchoRequestSchema);
const change = (etag: string) =>
  messageOf(UpdateBookRequestSchema, { book: { id: 1, price: 2, etag } });

async function etagOf(call: Call): Promise<string> {
  const { body } = await call('/practice.v1.Books/Get', messageOf(GetRequestSchema, { id: 1 }));
  // gRPC-Web has its trailers after the message.
  const [book] = messagesIn(BookSchema, body.subarray(0, 5 + body.readUInt32BE(1)));
  return book?.etag ?? '';
}

async function readTwoPages(call: Call): Promise<void> {
  const path = '/practice.v1.Books/List';
  const { body } = await call(path, messageOf(ListRequestSchema, { pageSize: 2 }));
  const [page] = messagesIn(ListBooksResponseSchema, body.subarray(0, 5 + body.readUInt32BE(1)));
  await call(
    path,
    messageOf(ListRequestSchema, { pageSize: 2, pageToken: page?.nextPageToken ?? '' }),
  );
}

/** All but `grpc-cached`, which is about GET: only Connect has it. */
const solutions: Readonly<Record<string, (call: Call) => Promise<unknown>>> = {
  'grpc-hello': (call) => call(hello, ada),
  'grpc-metadata': (call) => call(echo, none, { 'x-color': 'green' }),
  'grpc-binary': (call) => call(echo, none, { 'x-bytes-bin': 'AAEC' }),
  'grpc-deadline': (call) => call(hello, ada, { 'grpc-timeout': '5S' }),
  'grpc-expired': (call) =>
    call(echo, messageOf(EchoRequestSchema, { delay: { seconds: 1n } }), { 'grpc-timeout': '50m' }),
  'grpc-invalid': (call) =>
    call('/practice.v1.Books/Create', messageOf(CreateBookRequestSchema, { book: { title: 'A' } })),
  'grpc-page': readTwoPages,
  'grpc-etag': async (call) => call('/practice.v1.Books/Update', change(await etagOf(call))),
  'grpc-aborted': (call) => call('/practice.v1.Books/Update', change('old')),
};

const types = ['application/grpc', 'application/grpc-web+proto'];

test.each(types.flatMap((type) => Object.keys(solutions).map((id) => [type, id] as const)))(
  '%s solves %s',
  async (type, id) => {
    const sandbox = { 'x-sandbox': `${id}-${types.indexOf(type)}` };
    await send(`POST /api/challenges/${id}/start`, { headers: sandbox });
    const call: Call = (path, body, headers = {}) =>
      callRaw(service.url, path, {
        headers: { 'content-type': type, ...sandbox, ...headers },
        body,
      });
    await solutions[id]?.(call);
    const { json } = await send('GET /api/challenges/progress', { headers: sandbox });
    expect(json.solved).toEqual([id]);
  },
);
