/** The protocol on the wire: frames, encodings, limits, statuses. */

import { once } from 'node:events';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { fromBinary } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { SumReplySchema, SumRequestSchema } from '../../src/areas/grpc/generated/addsvc_pb.js';
import {
  BadRequestSchema,
  RetryInfoSchema,
} from '../../src/areas/grpc/generated/google/rpc/error_details_pb.js';
import { StatusSchema } from '../../src/areas/grpc/generated/google/rpc/status_pb.js';
import { DummyMessageSchema } from '../../src/areas/grpc/generated/grpcbin_pb.js';
import {
  EchoRequestSchema,
  EchoResponseSchema,
} from '../../src/areas/grpc/generated/practice/v1/echo_pb.js';
import {
  CreateBookRequestSchema,
  ImportResponseSchema,
  ListRequestSchema,
} from '../../src/areas/grpc/generated/practice/v1/records_pb.js';
import { StatusRequestSchema } from '../../src/areas/grpc/generated/practice/v1/status_pb.js';
import { createService } from '../support/create-service.js';
import {
  callRaw,
  framed,
  messageOf,
  messagesIn,
  type RawResponse,
  statusOf,
} from '../support/grpc-call.js';
import {
  codeOf,
  data,
  type Frame,
  flags,
  frameTypes,
  headers as headersFrame,
  isOf,
  openFrames,
  ping,
  requestFields,
} from '../support/http2-frames.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

const call = (path: string, body?: Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  callRaw(service.url, path, { headers, ...(body && { body }) });
const sum = '/addsvc.Add/Sum';
const sumBody = messageOf(SumRequestSchema, { a: 3n, b: 4n });

function detailsOf({ headers, trailers }: RawResponse) {
  const text = String(
    (trailers['grpc-status-details-bin'] ?? headers['grpc-status-details-bin']) || '',
  );
  return fromBinary(StatusSchema, Buffer.from(text, 'base64')).details;
}

test('a unary call has its message, and trailers with the status', async () => {
  const response = await call(sum, sumBody);
  expect(response.headers).toMatchObject({ ':status': 200, 'content-type': 'application/grpc' });
  expect(messagesIn(SumReplySchema, response.body)).toMatchObject([{ v: 7n }]);
  expect(response.trailers).toEqual(expect.objectContaining({ 'grpc-status': '0' }));
});

test.each([
  ['two messages', Buffer.concat([sumBody, sumBody]), 12, /exactly one message; .* more/],
  ['no message', Buffer.alloc(0), 12, /exactly one message; .* none/],
  ['half a message', sumBody.subarray(0, 7), 13, /middle of a message/],
  ['flags of 2', framed(sumBody.subarray(5), 2), 13, /flags .* got 2/],
  ['a compressed message without an encoding', framed(sumBody.subarray(5), 1), 13, /no encoding/],
  ['bytes that are no message', framed(Buffer.from([0x0f])), 13, /not a valid addsvc.SumRequest/],
  ['a length of 5 MiB', Buffer.from([0, 0, 0x50, 0, 0]), 8, /5242880 bytes; the limit is 4194304/],
])('%s is rejected', async (_what, body, code, message) => {
  const status = statusOf(await call(sum, body));
  expect(status.code).toBe(code);
  expect(status.message).toMatch(message);
});

describe('compression', () => {
  const zipped = gzipSync(sumBody.subarray(5));

  test('a gzip message is accepted, and an unknown encoding is UNIMPLEMENTED with the known ones', async () => {
    const right = await call(sum, framed(zipped, 1), { 'grpc-encoding': 'gzip' });
    expect(messagesIn(SumReplySchema, right.body)).toMatchObject([{ v: 7n }]);
    const wrong = await call(sum, sumBody, { 'grpc-encoding': 'snappy' });
    expect(statusOf(wrong).code).toBe(12);
    expect(wrong.headers['grpc-accept-encoding']).toBe('identity, gzip');
  });

  test('bytes that are no gzip are INTERNAL', async () => {
    const response = await call(sum, framed(Buffer.from('no gzip'), 1), {
      'grpc-encoding': 'gzip',
    });
    expect(statusOf(response)).toEqual({ code: 13, message: 'The message is not valid gzip.' });
  });

  test('a message that decompresses to more than 4 MiB is RESOURCE_EXHAUSTED', async () => {
    const bomb = gzipSync(Buffer.alloc(5 * 1024 * 1024), { level: 9 });
    const response = await call(sum, framed(bomb, 1), { 'grpc-encoding': 'gzip' });
    expect(statusOf(response)).toMatchObject({
      code: 8,
      message: /decompressed message is longer/,
    });
  });

  test('the messages of a stream decompress to at most 64 MiB together', async () => {
    const text = Buffer.alloc(4_000_000, 'a');
    const message = messageOf(EchoRequestSchema, { data: text }).subarray(5);
    const one = framed(gzipSync(message, { level: 9 }), 1);
    const body = Buffer.concat(Array.from({ length: 20 }, () => one));
    const response = await call('/practice.v1.Echo/ClientStream', body, {
      'grpc-encoding': 'gzip',
    });
    expect(statusOf(response)).toMatchObject({ code: 8, message: /decompress to more than/ });
  });
});

test('a message with more than 100,000 values is RESOURCE_EXHAUSTED', async () => {
  const texts = Buffer.alloc(240_000);
  for (let at = 0; at < texts.length; at += 2) texts[at] = 0x12;
  const many = await call('/grpcbin.GRPCBin/DummyUnary', framed(texts));
  expect(statusOf(many)).toMatchObject({ code: 8, message: /more than 100000 values/ });
  const packed = messageOf(DummyMessageSchema, { fInt32s: new Array(210_000).fill(1) });
  expect(statusOf(await call('/grpcbin.GRPCBin/DummyUnary', packed)).code).toBe(8);
  const few = messageOf(DummyMessageSchema, { fBytes: new Uint8Array(1_000_000) });
  expect(statusOf(await call('/grpcbin.GRPCBin/DummyUnary', few)).code).toBe(0);
});

describe('a failure is a status of gRPC', () => {
  test.each([
    ['/hello.HelloService/sayHello', 12, /Did you mean \/hello.HelloService\/SayHello\?/],
    ['/hello.HelloService/SayHelo', 12, /Did you mean \/hello.HelloService\/SayHello\?/],
    ['/no.Service/Here', 12, /There is no method/],
    ['/api/Books', 12, /There is no method \/api\/Books/],
  ])('at %s', async (path, code, message) => {
    const response = await call(path);
    expect(response.headers[':status']).toBe(200);
    expect(response.headers['content-type']).toBe('application/grpc');
    expect(statusOf(response)).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('for a sandbox with an invalid name', async () => {
    const response = await call(sum, sumBody, { 'x-sandbox': 'not a name' });
    expect(statusOf(response)).toMatchObject({ code: 3, message: /^Invalid X-Sandbox/ });
  });

  test('for a malformed timeout', async () => {
    const response = await call(sum, sumBody, { 'grpc-timeout': '5 s' });
    expect(statusOf(response)).toMatchObject({ code: 3, message: /^grpc-timeout must be/ });
  });

  test('for too much metadata', async () => {
    const large = Object.fromEntries(
      Array.from({ length: 1_800 }, (_, index) => [`x-many-${index}`, 'a'] as const),
    );
    const response = await call(sum, sumBody, large);
    expect(response.headers).toMatchObject({ ':status': 200, 'content-type': 'application/grpc' });
    expect(statusOf(response)).toEqual({
      code: 8,
      message: 'The headers exceed 64 KiB, counting 32 extra bytes for each.',
    });
    const unary = { ...large, 'content-type': 'application/json' };
    const connect = await call(sum, Buffer.from('{}'), unary);
    expect(connect.headers[':status']).toBe(429);
    expect(JSON.parse(String(connect.body))).toMatchObject({ code: 'resource_exhausted' });
    const rest = await call('/api/Books', Buffer.from('{}'), unary);
    expect(rest.headers[':status']).toBe(431);
  });

  test.each([
    ['a path that is malformed', '/hello.HelloService/%zz', 3, /URL is malformed/],
    ['a sandbox with an invalid name, also at an unknown path', '/no.Service/Here', 3, /X-Sandbox/],
  ])('for %s', async (what, path, code, message) => {
    const headers = what.includes('sandbox') ? { 'x-sandbox': 'not a name' } : {};
    const status = statusOf(await call(path, sumBody, headers));
    expect(status).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('for a response without room among unread ones, whose trailers are dropped', async () => {
    const mebibyte = 1024 * 1024;
    const small = await createService({ unsentBytes: mebibyte });
    // No byte of a message may be sent.
    const session = connect(small.url, { settings: { initialWindowSize: 0 } });
    await once(session, 'remoteSettings');
    const ask = async () => {
      const stream = session.request({
        ...{ ':method': 'POST', ':path': '/practice.v1.Echo/Unary' },
        ...{ 'content-type': 'application/grpc', te: 'trailers' },
      });
      let trailers: object | undefined;
      stream.on('trailers', (received) => {
        trailers = received;
      });
      const ended = new Promise((resolve) => stream.once('close', () => resolve(trailers)));
      stream.on('error', () => {}).resume();
      stream.end(messageOf(EchoRequestSchema, { responseBytes: mebibyte }));
      const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders];
      return { head, ended };
    };
    expect((await ask()).head['grpc-status']).toBeUndefined();
    const second = await ask();
    expect(second.head).toMatchObject({ ':status': 200, 'grpc-status': '14' });
    expect(await second.ended).toBeUndefined();
    session.destroy();
    await small.close();
  });

  test('with the faulty fields of a record', async () => {
    const body = messageOf(CreateBookRequestSchema, { book: { title: 'A' } });
    const response = await call('/practice.v1.Books/Create', body);
    const [detail] = detailsOf(response);
    const bad = detail && anyUnpack(detail, BadRequestSchema);
    expect(bad?.fieldViolations.map(({ field }) => field)).toEqual([
      'book.author',
      'book.isbn',
      'book.published_year',
      'book.pages',
    ]);
  });

  test('for a page token that was changed', async () => {
    const body = messageOf(ListRequestSchema, { pageToken: 'mine' });
    expect(statusOf(await call('/practice.v1.Books/List', body)).code).toBe(3);
  });
});

test('a message of 4 MiB is returned whole, and a longer one is rejected', async () => {
  const body = messageOf(EchoRequestSchema, { data: new Uint8Array(4_194_304 - 5) });
  const response = await call('/grpcbin.GRPCBin/DummyUnary', framed(new Uint8Array(0)));
  expect(statusOf(response).code).toBe(0);
  expect(body.length).toBe(4_194_304 + 5);
  const echoed = await call('/practice.v1.Echo/Unary', body);
  expect(statusOf(echoed).code).toBe(0);
  expect(messagesIn(EchoResponseSchema, echoed.body)[0]?.data.length).toBe(4_194_304 - 5);
  const long = Buffer.concat([body, Buffer.alloc(1)]);
  long.writeUInt32BE(4_194_305, 1);
  expect(statusOf(await call('/practice.v1.Echo/Unary', long)).code).toBe(8);
});

test('the Base64 of a message of 4 MiB is accepted, and a longer one is rejected', async () => {
  const headers = { 'content-type': 'application/grpc-web-text' };
  const body = messageOf(EchoRequestSchema, { data: new Uint8Array(4_194_304 - 5) });
  const text = body.toString('base64');
  const whole = await call('/practice.v1.Echo/Unary', Buffer.from(text), headers);
  // A failure would have its status in the head.
  expect(statusOf(whole)).toEqual({ code: -1, message: '' });
  expect(whole.body.length).toBeGreaterThan(4_194_304);
  const long = await call('/practice.v1.Echo/Unary', Buffer.from(`${text}AAAA`), headers);
  expect(long.headers['grpc-status']).toBe('8');
});

test('Base64 may be in parts with padding, and in lines; other bytes are rejected', async () => {
  const headers = { 'content-type': 'application/grpc-web-text' };
  const parts = [sumBody.subarray(0, 1), sumBody.subarray(1, 6), sumBody.subarray(6)];
  const text = parts.map((part) => part.toString('base64')).join('\r\n');
  const whole = await call(sum, Buffer.from(text), headers);
  const bytes = Buffer.from(String(whole.body), 'base64');
  expect(messagesIn(SumReplySchema, bytes.subarray(0, 7))).toMatchObject([{ v: 7n }]);
  const wrong = await call(sum, Buffer.from('AAAA!AAA'), headers);
  expect(statusOf(wrong)).toEqual({ code: 3, message: 'The body is not valid Base64.' });
  const none = await call(sum, Buffer.from('A=A='.repeat(1_000_000)), headers);
  expect(statusOf(none)).toMatchObject({ code: 12, message: expect.stringMatching(/none/) });
  const stream = await call('/practice.v1.Echo/ClientStream', Buffer.from(text), headers);
  expect(statusOf(stream)).toMatchObject({ code: 12, message: expect.stringMatching(/no client/) });
});

describe('the response to a client stream', () => {
  const dummy = Buffer.concat(
    Array.from({ length: 10 }, (_, number) => messageOf(DummyMessageSchema, { fInt32: number })),
  );
  const begin = (path: string, bytes: Uint8Array) => {
    const connection = openFrames(service.url);
    const fields = requestFields(path, 'POST', [
      ['content-type', 'application/grpc'],
      ['te', 'trailers'],
    ]);
    connection.send(headersFrame(1, fields, flags.endHeaders), data(1, bytes));
    return connection;
  };
  const isEnd = ({ type, flags: bits }: Frame) =>
    type === frameTypes.headers && (bits & flags.endStream) > 0;
  const isReset = ({ type }: Frame) => type === frameTypes.rstStream;

  // A proxy may cancel a call whose response ends first: the client would lose its status.
  test.each([
    ['the last message', '/grpcbin.GRPCBin/DummyClientStream', dummy],
    ['a failure', '/practice.v1.Books/Import', messageOf(CreateBookRequestSchema)],
  ])('waits for the end of the request: %s', async (_what, path, bytes) => {
    const connection = begin(path, bytes);
    // The service has read the messages once it has responded to a later PING, and a call.
    connection.send(ping());
    await connection.until(isOf(frameTypes.ping));
    await call(sum, sumBody);
    expect(connection.frames.some(({ type }) => type === frameTypes.headers)).toBe(false);
    connection.send(data(1, [], flags.endStream));
    expect(await connection.until(isEnd)).toBeDefined();
    connection.send(ping(Buffer.from('practice')));
    await connection.until(({ type, payload }) => type === 6 && String(payload) === 'practice');
    expect(connection.frames.some(isReset)).toBe(false);
    connection.socket.destroy();
  });

  test('comes after a second without that end, and then the rest is not needed', async () => {
    const connection = begin('/grpcbin.GRPCBin/DummyClientStream', dummy);
    expect(await connection.until(isEnd)).toBeDefined();
    const reset = await connection.until(isReset);
    expect(reset && codeOf(reset)).toBe(0);
    connection.socket.destroy();
  });
});

test('an import stops at the first bad record, whose index it names, and earlier ones stay', async () => {
  const headers = { 'x-sandbox': 'import' };
  const isbn = '9780547928227';
  const good = { title: 'A', author: 'B', isbn, publishedYear: 2000, pages: 1 };
  const bodies = [good, { ...good, pages: 0 }, good].map((book) =>
    messageOf(CreateBookRequestSchema, { book }),
  );
  const response = await call('/practice.v1.Books/Import', Buffer.concat(bodies), headers);
  expect(statusOf(response)).toMatchObject({ code: 3, message: /^Record 1: pages/ });
  const { json } = await send('GET /api/Books?title=A', { headers });
  expect(json).toHaveLength(1);
  const ok = await call('/practice.v1.Books/Import', bodies[0], headers);
  expect(messagesIn(ImportResponseSchema, ok.body)[0]?.ids).toHaveLength(1);
});

test('what gRPC writes is read by REST and GraphQL, and the other way round', async () => {
  const headers = { 'x-sandbox': 'shared-records' };
  const todo = Buffer.concat([
    messageOf(CreateBookRequestSchema, {
      book: { title: 'By gRPC', author: 'B', isbn: '9780547928227', publishedYear: 2000, pages: 9 },
    }),
  ]);
  await call('/practice.v1.Books/Create', todo, headers);
  const { json } = await send('GET /api/Books?title=By%20gRPC', { headers });
  expect(json).toMatchObject([{ title: 'By gRPC', pages: 9 }]);
  const query = await send('POST /graphql', {
    headers,
    json: { query: `{ book(id: ${json[0].id}) { title } }` },
  });
  expect(query.json.data.book.title).toBe('By gRPC');
});

describe('other protocols of HTTP', () => {
  test('gRPC over HTTP/1.1 is 415 with the way out', async () => {
    const headers = { 'content-type': 'application/grpc' };
    const { status, json } = await send(`POST ${sum}`, { headers, body: sumBody });
    expect(status).toBe(415);
    expect(json.message).toMatch(/needs HTTP\/2/);
  });

  test('another type is 415 with the accepted ones, and another method 405', async () => {
    const text = await send(`POST ${sum}`, {
      headers: { 'content-type': 'text/plain' },
      body: 'a',
    });
    expect(text.status).toBe(415);
    expect(text.headers['accept-post']).toContain('application/grpc-web-text');
    const put = await send(`PUT ${sum}`);
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    const got = await send('GET /practice.v1.Books/Create?message={}&encoding=json');
    expect([got.status, got.headers.allow]).toEqual([405, 'POST']);
  });

  test('a GET of Connect can be revalidated, and a broken Base64 is rejected', async () => {
    const target = `GET ${sum}?connect=v1&encoding=json&message=%7B%22a%22%3A3%7D`;
    const first = await send(target);
    expect([first.status, first.json]).toEqual([200, { v: '3' }]);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    const { etag = '' } = first.headers;
    expect((await send(target, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const broken = await fetch(`${service.url}${sum}?encoding=proto&base64=1&message=!!`);
    expect([broken.status, await broken.json()]).toMatchObject([400, { code: 'invalid_argument' }]);
  });

  test('gRPC-Web as text has trailers in its last part', async () => {
    const headers = { 'content-type': 'application/grpc-web-text' };
    const { text } = await send(`POST ${sum}`, { headers, body: sumBody.toString('base64') });
    const bytes = Buffer.from(text, 'base64');
    expect(messagesIn(SumReplySchema, bytes.subarray(0, 7))).toMatchObject([{ v: 7n }]);
    expect(bytes[7]).toBe(0x80);
    expect(bytes.subarray(12).toString()).toBe('grpc-status: 0\r\n');
  });

  test('a preflight of gRPC-Web allows its headers', async () => {
    const { status, headers } = await send(`OPTIONS ${sum}`, {
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-grpc-web,grpc-timeout',
      },
    });
    expect(status).toBe(204);
    expect(headers['access-control-allow-headers']).toBe('x-grpc-web,grpc-timeout');
  });
});

describe('limits of requests', () => {
  const echo = '/practice.v1.Echo/Unary';
  const json = (path: string, value: object, headers: Readonly<Record<string, string>> = {}) =>
    fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(value),
    });

  test('delays, counts, intervals and scripts', async () => {
    const late = { 'connect-timeout-ms': '20' };
    expect((await json(echo, { delay: '60s' }, late)).status).toBe(504);
    expect((await json(echo, { delay: '60.001s' }, late)).status).toBe(400);
    const stream = async (path: string, body: Uint8Array, headers = {}) =>
      statusOf(await call(path, body, headers)).code;
    const count = (wanted: number) => messageOf(EchoRequestSchema, { count: wanted });
    expect(await stream('/practice.v1.Echo/ServerStream', count(1000))).toBe(0);
    expect(await stream('/practice.v1.Echo/ServerStream', count(1001))).toBe(3);
    const ending = (messages: number) => messageOf(StatusRequestSchema, { messages });
    expect(await stream('/practice.v1.Status/Stream', ending(1000))).toBe(0);
    expect(await stream('/practice.v1.Status/Stream', ending(1001))).toBe(3);
    const server = '/grpcbin.GRPCBin/DummyServerStream';
    const slow = { 'grpc-timeout': '50m' };
    const none = framed(new Uint8Array());
    expect(await stream(server, none, { 'x-interval-ms': '10000', ...slow })).toBe(4);
    expect(await stream(server, none, { 'x-interval-ms': '10001' })).toBe(3);
    const headers = { 'x-sandbox': 'limits' };
    for (const [length, status] of [
      [100, 200],
      [101, 400],
    ] as const) {
      const script = new Array(length).fill(null);
      const set = await send('PUT /api/sandbox/grpc', { headers, json: { script } });
      expect(set.status).toBe(status);
    }
  });

  test('JSON of 512 KiB, and pages of 100 records', async () => {
    const textOf = (bytes: number) => ({ text: 'a'.repeat(bytes - '{"text":""}'.length) });
    expect((await json(echo, textOf(512 * 1024))).status).toBe(200);
    expect((await json(echo, textOf(512 * 1024 + 1))).status).toBe(429);
    const page = await (await json('/practice.v1.Todos/List', { pageSize: 1000 })).json();
    expect((page as { todos: unknown[] }).todos).toHaveLength(100);
  });
});

describe('fault plans', () => {
  const named = (name: string) => ({ 'x-sandbox': name });

  test('match by the path of a method, and fail with a status of gRPC and RetryInfo', async () => {
    const headers = named('faults');
    const rules = [{ match: { method: sum }, sequence: [{ status: 503 }, { status: 429 }] }];
    expect((await send('PUT /api/sandbox/faults', { headers, json: { rules } })).status).toBe(200);
    expect(statusOf(await call('/hello.HelloService/SayHello', undefined, headers)).code).toBe(0);
    const first = await call(sum, sumBody, headers);
    expect(statusOf(first).code).toBe(14);
    expect(first.headers['x-fault']).toBe('rule-1#1');
    const [detail] = detailsOf(first);
    expect(detail && anyUnpack(detail, RetryInfoSchema)?.retryDelay?.seconds).toBe(2n);
    expect(statusOf(await call(sum, sumBody, headers)).code).toBe(8);
    expect(statusOf(await call(sum, sumBody, headers)).code).toBe(0);
  });

  test('act on the response, too', async () => {
    const headers = named('faults-after');
    const rules = [{ match: { path: sum }, sequence: [{ goaway: 'before' }, { delayMs: 20 }] }];
    await send('PUT /api/sandbox/faults', { headers, json: { rules } });
    expect((await call(sum, sumBody, headers)).code).toBe(7);
    expect(statusOf(await call(sum, sumBody, headers)).code).toBe(0);
  });

  test('a method that is no path of a plan is rejected', async () => {
    const json = { rules: [{ match: { method: '/a?b' }, sequence: [{ status: 503 }] }] };
    const { status } = await send('PUT /api/sandbox/faults', { headers: named('f'), json });
    expect(status).toBe(400);
  });
});
