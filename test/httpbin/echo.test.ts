/** httpbin's report of a request: its members, their form, and the formatting of the JSON. */

import { METHODS } from 'node:http';
import { describe, expect, test } from 'vitest';
import { rawExchange } from '../support/raw-exchange.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;
const multipart = { 'Content-Type': 'multipart/form-data; boundary=cut' };

function parts(...bodies: readonly string[]): string {
  return `${bodies.map((body) => `--cut\r\n${body}\r\n`).join('')}--cut--\r\n`;
}

test.each(['/httpbin', '/httpbin/', '/HttpBin'])('%s supports GET and HEAD', async (path) => {
  for (const method of ['GET', 'HEAD']) {
    expect((await send(`${method} ${path}`)).status).toBe(200);
  }
});

test('GET /get returns the same bytes as httpbin', async () => {
  const { headers, text } = await send('GET /httpbin/get?b=%C5%BE&a=1&b=2&c', {
    headers: [
      ['Host', 'example.org:1234'],
      ['user-agent', 'x/1'],
      ['X-TWICE', '1'],
      ['x-twice', '2'],
      ['Via', '1.1 proxy'],
      ['Connection', 'close'],
    ],
  });
  expect(headers['content-type']).toBe('application/json');
  expect(headers['cache-control']).toBe('no-store');
  expect(text).toBe(`{
  "args": {
    "a": "1",
    "b": [
      "\\u017e",
      "2"
    ],
    "c": ""
  },
  "headers": {
    "Connection": "close",
    "Host": "example.org:1234",
    "User-Agent": "x/1",
    "X-Twice": "1,2"
  },
  "origin": "127.0.0.1",
  "url": "http://example.org:1234/httpbin/get?b=%C5%BE&a=1&b=2&c"
}
`);
});

test.each([
  ['/headers', '1,2'],
  ['/get?headers=list', '1,2'],
  ['/anything', '1,2'],
  ['/anything/below?headers=list', ['1', '2']],
])('%s shows a repeated header as %j', async (path, shown) => {
  const headers = [
    ['X-Twice', '1'],
    ['x-twice', '2'],
  ] as const;
  const { json } = await send(`GET /httpbin${path}`, { headers });
  expect(json.headers['X-Twice']).toEqual(shown);
});

test('show_env shows headers that proxies add', async () => {
  const { json } = await send('GET /httpbin/headers?show_env=1', { headers: { Via: '1.1 proxy' } });
  expect(json.headers.Via).toBe('1.1 proxy');
});

test('headers are formatted as in httpbin', async () => {
  const { rawHeaders } = await send('GET /httpbin/etag/x');
  expect(rawHeaders).toEqual(expect.arrayContaining(['Content-Type', 'ETag', 'Cache-Control']));
  const { head } = await rawExchange(
    service.url,
    'GET /httpbin/bearer HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(head).toMatch(/^HTTP\/1\.1 401 UNAUTHORIZED\r\n/);
  expect(head).toContain('\r\nWWW-Authenticate: Bearer\r\n');
});

test.each([
  ['/get', 'GET', 'GET, HEAD, OPTIONS'],
  ['/post', 'POST', 'OPTIONS, POST'],
  ['/put', 'PUT', 'OPTIONS, PUT'],
  ['/patch', 'PATCH', 'OPTIONS, PATCH'],
  ['/delete', 'DELETE', 'DELETE, OPTIONS'],
])('%s supports %s, and OPTIONS lists the other methods', async (path, method, allowed) => {
  expect((await send(`${method} /httpbin${path}`)).json.url).toBe(`${service.url}/httpbin${path}`);
  const options = await send(`OPTIONS /httpbin${path}`);
  expect([options.status, options.headers.allow, options.text]).toEqual([200, allowed, '']);
  const wrong = await send(`PROPFIND /httpbin${path}`);
  expect([wrong.status, wrong.headers.allow]).toEqual([405, allowed]);
});

test('a preflight gets the same response as everywhere', async () => {
  const { status, headers } = await send('OPTIONS /httpbin/put', {
    headers: { Origin: 'http://a', 'Access-Control-Request-Method': 'PUT' },
  });
  expect(status).toBe(204);
  expect(headers['access-control-allow-methods']).toContain('PUT');
});

test('/anything supports every method on every path below it', async () => {
  for (const method of METHODS.filter((method) => method !== 'CONNECT')) {
    const path = `/httpbin/anything/${method}/%2F?a=b`;
    const { status, text } = await send(`${method} ${path}`, { body: 'x' });
    expect(status, method).toBe(200);
    if (method === 'HEAD') continue;
    expect(JSON.parse(text)).toMatchObject({ method: method, url: service.url + path, data: 'x' });
  }
  expect((await send('GET /httpbin/anything')).json.method).toBe('GET');
});

describe('a body', () => {
  const whole = { args: {}, data: '', files: {}, form: {}, json: null };

  test('that is missing leaves all members empty', async () => {
    expect((await send('POST /httpbin/post')).json).toMatchObject(whole);
  });

  test.each([
    ['JSON', 'application/json', '{"b": [1.5, null], "a": "ž"}', { b: [1.5, null], a: 'ž' }],
    ['JSON of any type', 'text/plain', '[1]', [1]],
    ['JSON that is broken', 'application/json', '{"a":', null],
    ['text', 'text/plain', 'Hello ž', null],
  ])('of %s is in data, and in json if valid', async (_name, type, body, json) => {
    const response = await send('PUT /httpbin/put', { headers: { 'Content-Type': type }, body });
    expect(response.json).toMatchObject({ ...whole, data: body, json });
  });

  test('that is not UTF-8 is a data: URL', async () => {
    const { json } = await send('POST /httpbin/post', { body: Uint8Array.of(0xff, 0, 1) });
    expect(json).toMatchObject({ ...whole, data: 'data:application/octet-stream;base64,/wAB' });
  });

  test('with a form returns its fields, as lists only when repeated', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
    const body = 'a=1&b=x+y&b=%C5%BE&__proto__=p';
    const { json, text } = await send('DELETE /httpbin/delete', { headers, body });
    expect(json).toMatchObject({ ...whole, form: { a: '1', b: ['x y', 'ž'] } });
    expect(text).toContain('"__proto__": "p"');
  });

  test('with multipart returns fields and files', async () => {
    const body = parts(
      'Content-Disposition: form-data; name="a"\r\n\r\n1',
      'Content-Disposition: form-data; name="a"\r\n\r\n2',
      'Content-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nHello',
      'Content-Disposition: form-data; name="g"; filename="b"\r\nContent-Type: image/png\r\n\r\nx',
      'Content-Disposition: form-data; name="g"; filename="c"\r\n\r\ny',
    );
    const { json } = await send('POST /httpbin/post', { headers: multipart, body });
    const files = { f: 'Hello', g: ['x', 'y'] };
    expect(json).toMatchObject({ ...whole, form: { a: ['1', '2'] }, files });
  });

  test('with multipart shows bytes with the type of their part', async () => {
    const head = 'Content-Disposition: form-data; name="f"; filename="b"';
    const body = Buffer.from(
      parts(`${head}\r\nContent-Type: image/png\r\n\r\n\xff`, `${head}\r\n\r\n\xfe`),
      'latin1',
    );
    const { json } = await send('POST /httpbin/post', { headers: multipart, body });
    expect(json.files.f).toEqual([
      'data:image/png;base64,/w==',
      'data:application/octet-stream;base64,/g==',
    ]);
  });

  test.each([
    ['multipart without a boundary', 'multipart/form-data', parts('x')],
    ['multipart that is cut off', multipart['Content-Type'], '--cut\r\nContent-Disposition: form'],
    ['a form with too many fields', 'application/x-www-form-urlencoded', 'a=1&'.repeat(1001)],
  ])('with %s is in data', async (_name, type, body) => {
    const { json } = await send('POST /httpbin/post', { headers: { 'Content-Type': type }, body });
    expect(json).toMatchObject({ ...whole, data: body });
  });

  test('in chunks, after Expect: 100-continue, is parsed like any other', async () => {
    const { head, body } = await rawExchange(
      service.url,
      [
        'POST /httpbin/post HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n',
        'Transfer-Encoding: chunked\r\n\r\n2\r\nHe\r\n3\r\nllo\r\n0\r\n\r\n',
      ].join(''),
    );
    expect(head).toBe('HTTP/1.1 100 Continue');
    expect(body).toContain('"data": "Hello"');
  });

  test('that would be too long with indentation is on one line', async () => {
    const body = `${'['.repeat(400)}${'0,'.repeat(50_000)}0${']'.repeat(400)}`;
    const headers = { 'Content-Type': 'application/json' };
    const { status, text } = await send('POST /httpbin/post', { headers, body });
    expect(status).toBe(200);
    expect(text).toContain(`"json": ${body.replaceAll(',', ', ')}, "origin"`);
  });

  test('of more than 1 MiB is shown up to there', async () => {
    const body = 'x'.repeat(1024 * 1024 + 1);
    const { json } = await send('POST /httpbin/post', { body });
    expect([json.bodyTruncated, json.json]).toEqual([true, null]);
    expect(json.data).toHaveLength(1024 * 1024);
  });

  test('of more than 10 MiB is rejected', async () => {
    const { status } = await send('POST /httpbin/anything', {
      headers: { 'Content-Length': String(10 * 1024 * 1024 + 1), Connection: 'close' },
      body: '',
    }).catch(() => ({ status: 413 }));
    expect(status).toBe(413);
  });
});

test('below a sandbox, URLs have its prefix', async () => {
  const { json } = await send('GET /s/mine/httpbin/get?a=1');
  expect(json.url).toBe(`${service.url}/s/mine/httpbin/get?a=1`);
});

test.each([
  ['/ip', { origin: '127.0.0.1' }],
  ['/user-agent', { 'user-agent': 'x/1' }],
])('%s has one member', async (path, expected) => {
  const headers = { 'User-Agent': 'x/1' };
  expect((await send(`GET /httpbin${path}`, { headers })).json).toEqual(expected);
});

test('/user-agent is null without the header, and /uuid differs each time', async () => {
  expect((await send('GET /httpbin/user-agent')).json).toEqual({ 'user-agent': null });
  const ids = await Promise.all(
    [1, 2].map(async () => (await send('GET /httpbin/uuid')).json.uuid),
  );
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-/);
});
