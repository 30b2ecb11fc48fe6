/** Differences of HTTP/2 from HTTP/1.1, and the rules of the service for it. */

import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import {
  codeOf,
  data,
  flags,
  frameTypes,
  headers,
  isOf,
  openFrames,
  requestFields,
} from '../support/http2-frames.js';
import { rawExchange } from '../support/raw-exchange.js';
import { send } from '../support/service.js';

let service: Service;
let session: ClientHttp2Session;
beforeAll(async () => {
  service = await createService({ tls: true, h2c: true });
});
afterAll(() => service.close());
afterEach(() => session?.destroy());

function open(): ClientHttp2Session {
  session = connect(service.tlsUrl ?? '', { rejectUnauthorized: false });
  session.on('error', () => {});
  return session;
}

interface HttpResponse {
  readonly headers: IncomingHttpHeaders;
  readonly interim: readonly IncomingHttpHeaders[];
  readonly trailers: IncomingHttpHeaders;
  readonly text: string;
  readonly rstCode: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the JSON
  readonly json: any;
}

async function ask(
  path: string,
  more: Record<string, string> = {},
  body?: string,
): Promise<HttpResponse> {
  const stream = (session ?? open()).request(
    { ':path': path, ...more },
    { endStream: body === undefined },
  );
  const interim: IncomingHttpHeaders[] = [];
  let [head, trailers]: IncomingHttpHeaders[] = [{}, {}];
  const chunks: Uint8Array[] = [];
  stream
    .on('headers', (each) => interim.push(each))
    .on('response', (each) => {
      head = each;
    })
    .on('trailers', (each) => {
      trailers = each;
    })
    .on('data', (chunk) => chunks.push(chunk))
    .on('error', () => {});
  if (body !== undefined) stream.end(body);
  await new Promise((resolve) => stream.once('close', resolve));
  const text = Buffer.concat(chunks).toString();
  return {
    headers: head ?? {},
    interim,
    trailers: trailers ?? {},
    text,
    rstCode: stream.rstCode,
    get json() {
      return JSON.parse(text);
    },
  };
}

test('the response shows the protocol, and the settings of each side', async () => {
  open();
  const { json } = await ask('/api/http/connection');
  expect(json).toMatchObject({ httpVersion: '2.0', requests: 1, isReused: false });
  expect(json.http2).toMatchObject({
    streamId: 1,
    openStreams: 1,
    ownSettings: { maxConcurrentStreams: 100, maxHeaderListSize: 65_536 },
    connectionWindow: 65_535,
  });
  expect(json.tls).toMatchObject({ version: 'TLSv1.3', alpn: 'h2' });
  const { json: next } = await ask('/api/http/connection');
  expect(next).toMatchObject({ requests: 2, isReused: true, http2: { streamId: 3 } });
});

test.each([
  ['rst=REFUSED_STREAM', constants.NGHTTP2_REFUSED_STREAM],
  ['rst=http-1-1-required', constants.NGHTTP2_HTTP_1_1_REQUIRED],
  ['rst=11', constants.NGHTTP2_ENHANCE_YOUR_CALM],
])('?%s resets the stream, and the connection continues', async (query, code) => {
  open();
  expect((await ask(`/api/http/connection?${query}`)).rstCode).toBe(code);
  expect((await ask('/health')).headers[':status']).toBe(200);
});

test('?goaway= ends the connection after the response, and after other pending ones', async () => {
  const connection = openFrames(service.tlsUrl ?? '');
  connection.send(
    headers(1, requestFields('/api/http/stream/2?interval=0.2')),
    headers(3, requestFields('/api/http/connection?goaway=ENHANCE_YOUR_CALM')),
  );
  await connection.ended;
  const goaway = connection.frames.find(isOf(frameTypes.goaway));
  expect(goaway && codeOf(goaway)).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  const bodyOf = (stream: number) =>
    Buffer.concat(
      connection.frames.filter(isOf(frameTypes.data, stream)).map((each) => each.payload),
    );
  expect(bodyOf(1).toString().split('\n')).toHaveLength(3);
  expect(JSON.parse(bodyOf(3).toString()).http2.streamId).toBe(3);
});

test('an unknown error code is rejected, and HTTP/1.1 ignores a known one', async () => {
  const bad = await send(service.url, 'GET /api/http/connection?rst=now');
  expect([bad.status, bad.json.errors[0].field]).toEqual([400, 'rst']);
  const { json } = await send(service.url, 'GET /api/http/connection?rst=8&goaway=0');
  expect([json.http2, json.httpVersion]).toEqual([null, '1.1']);
});

test('interim responses, trailers both ways, and Expect work as on HTTP/1.1', async () => {
  open();
  const hints = await ask('/api/http/informational?status=103&status=102');
  expect(hints.interim.map((each) => each[':status'])).toEqual([103, 102]);
  expect(hints.interim[0]?.link).toContain('preload');
  const { headers: head, trailers } = await ask('/api/http/trailers');
  expect(head.trailer).toContain('Content-Digest');
  expect(trailers['x-trailer']).toBe('the last word');
  const expected = await ask(
    '/api/methods/post',
    { ':method': 'POST', expect: '100-continue' },
    'hello',
  );
  expect(expected.json.body).toBe('hello');
  const unknown = await ask('/health', { expect: 'cake' });
  expect([unknown.headers[':status'], unknown.json.message]).toEqual([
    417,
    'Expect: cake is not supported; only 100-continue is.',
  ]);
});

test('a request body may have no length, and cookies may be in several headers', async () => {
  open();
  const stream = session.request({
    ':path': '/api/methods/any',
    ':method': 'POST',
    cookie: ['a=1', 'b=2'],
  });
  stream.write('one ');
  stream.end('two');
  let text = '';
  for await (const chunk of stream) text += chunk;
  expect(JSON.parse(text)).toMatchObject({
    body: 'one two',
    bodyLength: 7,
    headers: { cookie: 'a=1; b=2' },
  });
});

test.each([
  ['/api/http/dump', 'GET', 400, /there are no raw bytes to show/],
  ['/nowhere', 'GET', 404, /./],
  ['/health', 'BREW', 400, /known HTTP method/],
  ['/a#b', 'GET', 400, /fragment/],
  ['/api/methods/get', 'DELETE', 405, /./],
])('%s with %s is %i in the error shape', async (path, method, status, message) => {
  open();
  const { headers: head, json } = await ask(path, { ':method': method });
  expect(head[':status']).toBe(status);
  expect(json).toMatchObject({ status, message: expect.stringMatching(message) });
  expect(head['x-request-id']).toBeTruthy();
});

test('connection headers of HTTP/1.1 are omitted', async () => {
  open();
  const { headers: head } = await ask('/api/http/status/426');
  expect(head[':status']).toBe(426);
  for (const name of ['connection', 'upgrade', 'keep-alive', 'transfer-encoding'])
    expect(head).not.toHaveProperty(name);
});

test.each([
  [{ truncate: 10 }, constants.NGHTTP2_INTERNAL_ERROR, 10],
  [{ cutChunk: 10 }, constants.NGHTTP2_INTERNAL_ERROR, 10],
  [{ badChunk: true }, constants.NGHTTP2_INTERNAL_ERROR, undefined],
  [{ empty: true }, constants.NGHTTP2_INTERNAL_ERROR, 0],
  [{ reset: true }, constants.NGHTTP2_CANCEL, 0],
])('the planned fault %o resets only its stream', async (fault, code, length) => {
  const sandbox = { 'x-sandbox': `faults-${Object.keys(fault)[0]}` };
  const rules = [{ match: { path: '/api/Books' }, sequence: [fault] }];
  const planned = await send(service.url, 'PUT /api/sandbox/faults', {
    headers: sandbox,
    json: { rules },
  });
  expect(planned.status, planned.text).toBe(200);
  open();
  const response = await ask('/api/Books', sandbox);
  expect(response.rstCode).toBe(code);
  if (length !== undefined) expect(response.text).toHaveLength(length);
  expect((await ask('/health')).headers[':status']).toBe(200);
});

test.each([
  '/health',
  '/api/Books/1',
  '/api/Books',
  '/api/Nothing',
  '/api/http/redirect/3',
  '/api/http/status/204',
  '/api/http/bytes/3000000',
  '/api/http/stream/3',
  '/api/http/informational',
  '/api/http/trailers',
  '/httpbin/get',
  '/docs',
])('HEAD %s has the headers of GET, and no body', async (path) => {
  open();
  const head = await ask(path, { ':method': 'HEAD' });
  const get = await ask(path);
  expect([head.headers[':status'], head.text, head.rstCode]).toEqual([
    get.headers[':status'],
    '',
    0,
  ]);
  expect(head.headers['content-type']).toBe(get.headers['content-type']);
  expect(head.headers['content-length']).toBe(get.headers['content-length']);
  expect(head.interim.length).toBe(get.interim.length);
  expect((await ask('/health', { ':method': 'HEAD' }, 'a body')).headers[':status']).toBe(200);
});

test('a hundred concurrent requests get their own responses', async () => {
  open();
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, place) => ask(`/api/methods/any?place=${place}`)),
  );
  expect(all.map(({ json }) => json.query.place)).toEqual(all.map((_, place) => String(place)));
});

test('with --h2c off the plain port does not support HTTP/2', async () => {
  const other = await createService({ h2c: false });
  const { status } = await rawExchange(other.url, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  expect(status).toBe(400);
  expect(other.tlsUrl).toBeUndefined();
  await other.close();
});

test('with it, a split preface is accepted, and a similar beginning is not', async () => {
  const pieces = openFrames(service.url, { begin: Buffer.from('PRI * HT') });
  await new Promise((resolve) => pieces.socket.once('connect', resolve));
  pieces.send(Buffer.from('TP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1'), headers(1));
  expect(await pieces.until(isOf(frameTypes.headers, 1))).toBeDefined();
  pieces.socket.destroy();
  const { status } = await rawExchange(
    service.url,
    'PROPFIND /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  );
  expect(status).toBe(405);
});

test('a plain HTTP request to the port for TLS gets the right URL', async () => {
  const { port } = new URL(service.tlsUrl ?? '');
  const plain = `http://127.0.0.1:${port}`;
  const { status, body } = await rawExchange(
    plain,
    'GET / HTTP/1.1\r\nHost: good.localhost:99\r\n\r\n',
  );
  expect(status).toBe(400);
  expect(JSON.parse(body)).toEqual({
    status: 400,
    error: 'Bad Request',
    message: `This port requires TLS. Send the request to https://good.localhost:${port}.`,
  });
});

test('a stop lets responses finish, and sends GOAWAY', async () => {
  const other = await createService({ tls: true });
  session = connect(other.tlsUrl ?? '', { rejectUnauthorized: false });
  session.on('error', () => {});
  const goaway = once(session, 'goaway');
  const stream = session.request({ ':path': '/openapi.json', 'accept-encoding': 'identity' });
  await once(stream, 'response');
  const closed = other.close();
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(JSON.parse(Buffer.concat(chunks).toString()).openapi).toBe('3.1.0');
  expect((await goaway)[0]).toBe(0);
  await closed;
});

test('bodies that are not read yet count, and are rejected beyond the limit', async () => {
  const small = await createService({ tls: true, bodyBytes: 2 ** 20 });
  const connection = openFrames(small.tlsUrl ?? '');
  const fields = requestFields('/api/methods/post', 'POST');
  for (let id = 1; id <= 33; id += 2) connection.send(headers(id, fields, flags.endHeaders));
  const reset = await connection.until(isOf(frameTypes.rstStream));
  expect([reset?.stream, reset && codeOf(reset)]).toEqual([33, constants.NGHTTP2_REFUSED_STREAM]);
  connection.send(data(1, Buffer.from('{}'), flags.endStream));
  expect(await connection.until(isOf(frameTypes.headers, 1))).toBeDefined();
  connection.socket.destroy();
  await small.close();
});

test('unread responses count together: another large one is 503, and the slowest reader is cut off', async () => {
  const mebibyte = 1024 * 1024;
  const small = await createService({ tls: true, metrics: 'on', unsentBytes: mebibyte });
  const gauge = async (name: string) => {
    const { text } = await send(small.url, 'GET /metrics');
    return Number(new RegExp(`^practice_api_${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  // No byte of a body may be sent.
  const settings = { initialWindowSize: 0 };
  session = connect(small.tlsUrl ?? '', { rejectUnauthorized: false, settings });
  session.on('error', () => {});
  await once(session, 'remoteSettings');
  const post = { ':path': '/api/methods/post', ':method': 'POST', 'content-type': 'text/plain' };
  const ask = async () => {
    const stream = session.request(post);
    const closed = new Promise((resolve) => stream.once('close', () => resolve(stream.rstCode)));
    stream.on('error', () => {}).end(Buffer.alloc(mebibyte, 'a'));
    const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    return { head, closed };
  };
  const first = await ask();
  expect(first.head[':status']).toBe(200);
  expect(await gauge('unsent_bytes')).toBeGreaterThan(0);
  const second = await ask();
  expect(second.head).toMatchObject({ ':status': 503, 'retry-after': '2' });
  expect(await first.closed).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  session.destroy();
  for (const name of ['unsent_bytes', 'body_bytes']) await expect.poll(() => gauge(name)).toBe(0);
  await small.close();
});
