import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { rawExchange } from '../support/raw-exchange.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

describe('an unknown path', () => {
  test.each(['GET', 'POST', 'OPTIONS', 'PROPFIND', 'TRACE', 'CONNECT'])(
    'is 404 for %s',
    async (method) => {
      const { status, json } = await send(`${method} /nowhere?x=1`);
      expect(status).toBe(404);
      expect(json.message).toContain('There is nothing at /nowhere.');
    },
  );

  test('is 404 whatever body is sent with it', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await send('POST /nowhere', { body: '{broken', headers })).status).toBe(404);
    expect((await send('POST /nowhere', { body: Buffer.alloc(2_000_000) })).status).toBe(404);
  });

  test.each([
    '/api/methods/nothing',
    '/api/methods/get/more',
    '/api/methods/get//',
    '///',
    '/%00',
    '/..',
  ])('is 404 at %s', async (path) => {
    expect((await send(`GET ${path}`)).status).toBe(404);
  });

  test('is 404 with headers only for HEAD', async () => {
    expect((await send('HEAD /nowhere')).status).toBe(404);
  });
});

describe('a malformed URL', () => {
  test.each(['/%', '/api/methods/get%', '/%zz', '/%c3%28'])('%s is 400', async (path) => {
    const { status, json } = await send(`GET ${path}`);
    expect(status).toBe(400);
    expect(json.message).toContain('malformed');
  });
});

describe('a malformed query', () => {
  test.each([
    '/api/Books?q=%zz',
    '/api/auth?a=%',
    '/graphql?query=%ff',
    '/api/RateLimit?a=1&b=%c3%28',
    '/?%',
    '/health?%4',
  ])('is 400 at %s, and the response says where', async (path) => {
    const { status, json } = await send(`GET ${path}`);
    expect(status).toBe(400);
    expect(json.message).toMatch(/^The query is malformed at character \d+, which begins "%/);
  });
});

test.each([
  ['a fragment', 'GET /api/methods/get#top', '%23'],
  ['a fragment after the query', 'GET /api/methods/get?a=1#top', '%23'],
  ['the server as a whole', 'GET *', 'OPTIONS'],
])('a request for %s is 400', async (_what, target, hint) => {
  const { status, json } = await send(target);
  expect(status).toBe(400);
  expect(json.message).toContain(hint);
});

test('OPTIONS * lists the methods of the server as a whole', async () => {
  const { status, headers } = await send('OPTIONS *');
  expect(status).toBe(204);
  expect(headers.allow?.split(', ')).toEqual(expect.arrayContaining(['GET', 'PROPFIND', 'TRACE']));
});

describe('a request that is not HTTP', () => {
  const get = 'GET /api/methods/get HTTP/1.1\r\n';
  const post = 'POST /api/methods/post HTTP/1.1\r\nHost: a\r\n';
  test.each([
    ['garbage', 'garbage\r\n\r\n', 400],
    ['a TLS handshake', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), 400],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a malformed version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a header without a colon', `${get}Host: a\r\nnonsense\r\n\r\n`, 400],
    ['a header name with a space', `${get}Host: a\r\nX Y: 1\r\n\r\n`, 400],
    ['a null byte in a header', `${get}Host: a\r\nX: \0\r\n\r\n`, 400],
    ['a folded header', `${get}Host: a\r\nX: 1\r\n 2\r\n\r\n`, 400],
    ['a Content-Length that is not a number', `${post}Content-Length: five\r\n\r\nhello`, 400],
    ['a negative Content-Length', `${post}Content-Length: -5\r\n\r\nhello`, 400],
    ['two lengths', `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`, 400],
    [
      'a length beside chunks',
      `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['an unknown transfer coding', `${post}Transfer-Encoding: zip\r\n\r\nhello`, 400],
    ['a malformed chunk', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello`, 400],
    ['too many bytes of headers', `${get}Host: a\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
    ['too long a target', `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ])('%s gets a response in the error shape', async (_name, bytes, expected) => {
    const { status, head, body } = await rawExchange(service.url, bytes);
    expect(status).toBe(expected);
    expect(head).toMatch(/^content-type: application\/json; charset=utf-8\r$/im);
    expect(head).toMatch(/^x-request-id: [\w-]{36}\r$/im);
    expect(JSON.parse(body)).toEqual({
      status: expected,
      error: expected === 400 ? 'Bad Request' : 'Request Header Fields Too Large',
      message: expect.stringMatching(/./),
    });
  });

  test('an expectation other than 100-continue is 417', async () => {
    const { status, head, body } = await rawExchange(
      service.url,
      `${get}Host: a\r\nExpect: miracles\r\nX-Request-Id: mine\r\nConnection: close\r\n\r\n`,
    );
    expect(status).toBe(417);
    expect(head).toContain('x-request-id: mine');
    expect(JSON.parse(body)).toMatchObject({ status: 417, error: 'Expectation Failed' });
  });

  test('a connection that ends in the middle of a body affects no others', async () => {
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${post}Content-Length: 100\r\n\r\nhalf`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
    expect((await send('GET /api/methods/get')).status).toBe(200);
  });
});

test('thousands of headers are all counted', async () => {
  const bytes = `POST /api/methods/any HTTP/1.1\r\n${'a:b\r\n'.repeat(3000)}Host: a\r\nX-Sandbox: of-mine\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc`;
  const { status, body } = await rawExchange(service.url, bytes);
  expect(status).toBe(200);
  const { body: echoed, headers } = JSON.parse(body);
  expect(echoed).toBe('abc');
  expect(headers.a).toHaveLength(3000);
  expect(headers['X-Sandbox']).toBe('of-mine');
});

describe('the Host header', () => {
  const request = (...headers: string[]) =>
    `GET /api/methods/get HTTP/1.1\r\n${headers.map((line) => `${line}\r\n`).join('')}Connection: close\r\n\r\n`;

  test.each([
    ['is missing', request(), 'no Host header'],
    ['is repeated', request('Host: a', 'Host: b'), 'more than one Host'],
    ['contains markup', request('Host: a"><script>'), 'not a host name'],
    ['contains a path', request('Host: a/b'), 'not a host name'],
    ['contains a user', request('Host: me@a'), 'not a host name'],
  ])('that %s is 400', async (_name, bytes, message) => {
    const { status, body } = await rawExchange(service.url, bytes);
    expect(status).toBe(400);
    expect(JSON.parse(body).message).toContain(message);
  });

  test.each(['localhost', 'example.com:8080', '127.0.0.1:1', '[::1]:3000', 'under_score.test'])(
    'may be %s',
    async (host) => {
      expect((await rawExchange(service.url, request(`Host: ${host}`))).status).toBe(200);
    },
  );

  test('may be missing in HTTP/1.0, where links use the address of the listener', async () => {
    const { status, body } = await rawExchange(service.url, 'GET / HTTP/1.0\r\n\r\n');
    expect(status).toBe(200);
    expect(JSON.parse(body).areas[0].start).toContain(`${service.url}/`);
  });
});

test('an extremely long path segment is rejected, not served', async () => {
  const { status } = await send(`GET /api/methods/${'a'.repeat(5000)}`);
  expect(status).toBe(404);
});

test.each([
  ['members', Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`m${index}`, 0]))],
  ['items', { tags: Array.from({ length: 200_000 }, () => 0) }],
])('a JSON body of too many %s is rejected as a whole, not error by error', async (_what, json) => {
  const { status, text, json: response } = await send('POST /api/Events', { json });
  expect(status).toBe(400);
  expect(response.message).toContain('more than 1000 values');
  expect(text.length).toBeLessThan(1000);
});

describe('a target', () => {
  test.each([
    'GET *metrics',
    'GET *',
    'GET metrics',
    'OPTIONS *metrics',
    'GET ftp://a/health',
    'GET http:///health',
    'GET http://me@a/health',
    'GET http://a:65536/health',
    'GET http://a..b/health',
    'CONNECT example.com:443',
  ])('%s is 400, and nothing is routed', async (line) => {
    const { status, head, body } = await rawExchange(
      service.url,
      `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect([status, JSON.parse(body).status]).toEqual([400, 400]);
    expect(head).toMatch(/^access-control-expose-headers: \*\r$/im);
  });
});
