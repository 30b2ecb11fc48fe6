import { once } from 'node:events';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { openConnection, requestText, splitResponse } from '../support/raw-connection.js';
import { send } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await createService({ tls: true, h2c: true });
  await send(service.url, 'PUT /s/waiting/api/sandbox/data', {
    json: { posts: [{ id: 1 }], profile: {} },
  });
});
afterAll(() => service.close());

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const gzip = { 'Content-Encoding': 'gzip' };

type Case = readonly [
  what: string,
  target: string,
  status: number,
  headers?: Readonly<Record<string, string>>,
];

/** Responses that depend only on method, target and head. */
const decided: readonly Case[] = [
  ['an unknown path', 'POST /httpbin/nothing', 404],
  ['an unknown path in a sandbox', 'POST /s/waiting/nothing', 404],
  ['a bin that does not exist', 'POST /api/webhooks/AAAAAAAAAAAAAAAAAAAAAA', 404],
  ['an unsupported method', 'PUT /api/RateLimit/status', 405],
  ['a malformed URL', 'POST /%zz', 400],
  ['missing credentials', 'POST /api/auth/hmac', 401],
  ['a plan for the shared sandbox', 'PUT /api/sandbox/faults', 403, json],
  ['settings for the shared sandbox', 'PUT /api/sandbox/oidc', 403, json],
  ['a script for the shared sandbox', 'PUT /api/http/responses/mine', 403, json],
  ['data for the shared sandbox', 'PUT /api/sandbox/data', 403, json],
  ['a body over the limit', 'POST /httpbin/post', 413, { 'Content-Length': '99999999' }],
  ['JSON over the limit', 'POST /api/Books', 413, { ...json, 'Content-Length': '2000000' }],
  ['a wrong type', 'POST /api/Books', 415, { 'Content-Type': 'image/png' }],
  ['no type', 'POST /api/jsonrpc', 415],
  ['a wrong type of SOAP', 'POST /api/soap/calculator', 415, json],
  ['a form of another type', 'POST /oidc/token', 400, json],
  ['a content coding of JSON', 'POST /api/Books', 415, { ...json, ...gzip }],
  ['a content coding of data', 'PUT /s/waiting/api/sandbox/data', 415, { ...json, ...gzip }],
  ['an unknown expectation', 'POST /httpbin/post', 417, { Expect: 'miracles' }],
  ['one of two expectations', 'POST /httpbin/post', 417, { Expect: '100-continue, miracles' }],
  ['a redirect', 'POST /api/http/redirect/1', 302],
  ['a redirect of httpbin', 'POST /httpbin/redirect-to?url=/httpbin/get', 302],
  ['a status', 'PUT /httpbin/status/417', 417],
  ['a status of the lab', 'POST /api/http/status/503', 503],
  ['a status without a body', 'POST /api/http/status/204', 204],
  ['a failure by the query', 'POST /api/methods/post?error=503', 503],
  ['types that MCP does not send', 'POST /mcp', 406, { ...json, Accept: 'text/html' }],
];

const staleTag = { ...json, 'If-Match': '"stale"' };
const stalePatch = { 'Content-Type': 'application/json-patch+json', 'If-Match': '"stale"' };

/** Responses that depend on the state, too. */
const decidedByState: readonly Case[] = [
  ['another version of a record', 'PUT /api/Books/1', 412, staleTag],
  ['another version to patch', 'PATCH /s/waiting/api/Books/1', 412, stalePatch],
  ['another version of own data', 'PUT /s/waiting/my/posts/1', 412, staleTag],
  ['another version of a single resource', 'PATCH /s/waiting/my/profile', 412, staleTag],
  ['another version of a cached resource', 'PUT /s/waiting/api/http/cache/x', 412, staleTag],
  ['a record that does not exist', 'PUT /api/Books/99999', 404, json],
  ['a record of own data that does not exist', 'PATCH /s/waiting/my/posts/9', 404, json],
  ['a collection that does not exist', 'POST /s/waiting/my/nothing', 404, json],
  ['a record of json-server', 'PUT /s/waiting/json-server/posts/9', 404, json],
  ['a record of json-server 1', 'PATCH /s/waiting/json-server/posts/9?v=1', 404, json],
  ['a resource of json-server', 'POST /s/waiting/json-server/nothing', 404, json],
  ['a nested one of json-server', 'POST /s/waiting/json-server/posts/1/nothing', 404, json],
  ['a nested one of json-server 1', 'POST /s/waiting/json-server/posts/1/posts?v=1', 404, json],
  ['a collection as a single one', 'PUT /s/waiting/json-server/posts', 404, json],
  ['a single one as a collection', 'PATCH /s/waiting/json-server/profile/1', 404, json],
  ['a new single one of json-server 1', 'POST /s/waiting/json-server/profile?v=1', 404, json],
  [
    'a compressed body for json-server',
    'POST /s/waiting/json-server/posts',
    415,
    { ...json, ...gzip },
  ],
  ['a compressed body for json-server 1', 'PUT /s/waiting/json-server/posts/1?v=1', 415, gzip],
  ['a parent that does not exist', 'POST /api/Users/99999/Posts', 404, json],
  ['a method of single resources', 'PUT /s/waiting/my/posts', 405, json],
  ['a missing key', 'POST /api/Books?requireIdempotency=true', 400, json],
  ['an empty key', 'POST /api/Books/batch', 400, { ...json, 'Idempotency-Key': '' }],
  ['a key of another type', 'PATCH /api/Books/1', 400, { ...json, 'Idempotency-Key': ':YWJj:' }],
  [
    'a format that is not available',
    'PUT /api/Books/1',
    406,
    { ...json, Accept: 'a/b', Prefer: 'handling=strict' },
  ],
];

const withheld = (headers: Readonly<Record<string, string>> = {}) => ({
  'Content-Length': '6',
  Expect: '100-continue',
  ...headers,
});

describe('a final status that the head determines is sent without 100', () => {
  for (const [what, target, status, headers] of [...decided, ...decidedByState]) {
    test(`${what} is ${status}`, async () => {
      const connection = openConnection(service.url);
      connection.send(requestText(target, withheld(headers)));
      expect(await connection.ended).toBe('closed');
      const response = splitResponse(connection.received());
      expect(response.status).toBe(status);
      expect(response.headers.connection).toBe('close');
      connection.socket.destroy();
    });
  }

  test('with a chunked body, and Expect in capitals', async () => {
    const connection = openConnection(service.url);
    const headers = { EXPECT: '100-CONTINUE', 'Transfer-Encoding': 'chunked' };
    connection.send(requestText('POST /api/Books', { ...headers, 'Content-Type': 'text/plain' }));
    expect(await connection.ended).toBe('closed');
    expect(splitResponse(connection.received()).status).toBe(415);
    connection.socket.destroy();
  });

  test('over TLS', async () => {
    const { hostname, port } = new URL(service.tlsUrl ?? '');
    const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
    socket.write(requestText('POST /httpbin/nothing', withheld()));
    const [bytes] = await once(socket, 'data');
    expect(splitResponse(bytes)).toMatchObject({ status: 404, headers: { connection: 'close' } });
    socket.destroy();
  });

  test.each([
    ['an unknown path', 'POST', '/httpbin/nothing', 404],
    ['a status', 'PUT', '/httpbin/status/417', 417],
    ['a body over the limit', 'POST', '/httpbin/post', 413],
  ])('over HTTP/2: %s', async (_what, method, path, status) => {
    const session = connectHttp2(service.tlsUrl ?? '', { rejectUnauthorized: false });
    const length = status === 413 ? 99_999_999 : 6;
    const stream = session.request({
      ':method': method,
      ':path': path,
      expect: '100-continue',
      'content-length': length,
    });
    const interim: IncomingHttpHeaders[] = [];
    stream.on('headers', (headers) => interim.push(headers)).on('error', () => {});
    const [head] = await once(stream, 'response');
    expect(head[':status']).toBe(status);
    expect(interim).toEqual([]);
    stream.resume();
    await once(stream, 'close');
    session.destroy();
  });
});

describe('planned faults before the work are sent without 100', () => {
  const plan = (sandbox: string, fault: object) =>
    send(service.url, 'PUT /api/sandbox/faults', {
      headers: { 'X-Sandbox': sandbox },
      json: { rules: [{ sequence: [fault] }] },
    });

  test.each([
    ['status', { status: 503 }],
    ['empty', { empty: true }],
    ['reset', { reset: true }],
  ])('%s', async (name, fault) => {
    await plan(`waiting-${name}`, fault);
    const connection = openConnection(service.url);
    connection.send(
      requestText('POST /api/methods/post', withheld({ 'X-Sandbox': `waiting-${name}` })),
    );
    await connection.ended;
    expect(connection.responses(100)).toBe(0);
    expect(connection.responses()).toBe(name === 'status' ? 1 : 0);
    connection.socket.destroy();
  });

  test('hang', async () => {
    await plan('waiting-hang', { hang: true });
    const connection = openConnection(service.url);
    connection.send(
      requestText('POST /api/methods/post', withheld({ 'X-Sandbox': 'waiting-hang' })),
    );
    const log = '/api/sandbox/faults/log?after=0&wait=10';
    const headers = { 'X-Sandbox': 'waiting-hang' };
    const { json } = await send(service.url, `GET ${log}`, { headers });
    expect(json.attempts).toMatchObject([{ fault: { hang: true } }]);
    expect(connection.received()).toHaveLength(0);
    connection.socket.destroy();
  });

  test('a fault of the response requests no body for its log', async () => {
    await plan('waiting-after', { closeAfter: true });
    const connection = openConnection(service.url);
    const headers = withheld({ 'X-Sandbox': 'waiting-after' });
    connection.send(requestText('POST /api/http/status/200', headers));
    await connection.ended;
    expect(splitResponse(connection.received()).status).toBe(200);
    connection.socket.destroy();
  });
});

describe('a body that is read is requested with 100', () => {
  test.each([
    ['an echo', '/api/methods/post', {}],
    ['httpbin', '/httpbin/post', {}],
    ['JSON', '/api/http/respond', json],
    ['a form', '/oidc/token', form],
    ['json-server', '/s/waiting/json-server/posts', json],
    ['a single one of json-server', '/s/waiting/json-server/profile', json],
    ['a stream', '/s/waiting/api/http/uploads', {}],
    ['a digest', '/api/http/redirect/end', {}],
  ])('%s, on a connection that stays open', async (_what, path, headers) => {
    const connection = openConnection(service.url);
    connection.send(requestText(`POST ${path}`, withheld(headers)));
    await connection.until('HTTP/1.1 100 Continue\r\n\r\n');
    connection.send('{"a":1');
    await expect.poll(() => connection.responses()).toBe(2);
    connection.send(requestText('GET /health', { Connection: 'close' }));
    expect(await connection.ended).toBe('closed');
    expect(connection.responses()).toBe(3);
    expect(connection.responses(100)).toBe(1);
    connection.socket.destroy();
  });

  test('even if it was sent at once, in two pieces', async () => {
    const connection = openConnection(service.url);
    connection.send(`${requestText('POST /api/methods/post', withheld())}abc`);
    await connection.until('100 Continue');
    connection.send('def');
    await connection.until('"bodyLength":6');
    connection.socket.destroy();
  });

  test('but not for HTTP/1.0, which has no 100', async () => {
    const connection = openConnection(service.url);
    const text = requestText('POST /api/methods/post', withheld()).replace('HTTP/1.1', 'HTTP/1.0');
    connection.send(`${text}abcdef`);
    await connection.ended;
    expect(connection.responses(100)).toBe(0);
    expect(connection.received().toString()).toContain('"bodyLength":6');
    connection.socket.destroy();
  });
});

test('a request without a body gets no 100', async () => {
  const connection = openConnection(service.url);
  connection.send(requestText('GET /api/methods/get', { Expect: '100-continue' }));
  await connection.until('"method":"GET"');
  expect(connection.responses(100)).toBe(0);
  connection.socket.destroy();
});

test('an empty Expect has no effect', async () => {
  const connection = openConnection(service.url);
  connection.send(`${requestText('POST /api/methods/post', withheld({ Expect: '' }))}abcdef`);
  await connection.until('"bodyLength":6');
  expect(connection.responses(100)).toBe(0);
  connection.socket.destroy();
});
