import { expect, test } from 'vitest';
import { useDirectService } from '../support/direct-service.js';
import { openConnection, requestText } from '../support/raw-connection.js';

const service = useDirectService();
const { send } = service;

/** Follows Location by the rules of URLs, and returns every URL on the way. */
async function follow(path: string): Promise<string[]> {
  const visited: string[] = [];
  let url = new URL(path, service.url);
  for (;;) {
    visited.push(url.href.slice(service.url.length));
    expect(url.origin).toBe(service.url);
    const { status, headers } = await send(`GET ${url.pathname}${url.search}`);
    if (status < 300 || status >= 400) return visited;
    url = new URL(headers.location ?? '', url);
  }
}

test('a redirect leads to the next one, the last to the end, which reports their number', async () => {
  expect(await follow('/api/http/redirect/3')).toEqual([
    '/api/http/redirect/3',
    '/api/http/redirect/2?hops=1',
    '/api/http/redirect/1?hops=2',
    '/api/http/redirect/end?hops=3',
  ]);
  expect((await send('GET /api/http/redirect/end?hops=3')).json.hops).toBe(3);
});

test.each([
  ['path', '/api/http/redirect/1?hops=1'],
  ['absolute', /^http:\/\/[^/]+\/api\/http\/redirect\/1\?form=absolute&hops=1$/],
  ['relative', '1?form=relative&hops=1'],
])('Location in the form %s', async (form, expected) => {
  const { headers, json } = await send(`GET /api/http/redirect/2?form=${form}`);
  if (typeof expected === 'string') expect(headers.location).toBe(expected);
  else expect(headers.location).toMatch(expected);
  expect(json).toEqual({ status: 302, location: headers.location });
});

test.each(['path', 'absolute', 'relative'])('20 redirects in the form %s arrive', async (form) => {
  for (const start of [
    '/api/http/redirect/20',
    '/s/mine/api/http/redirect/20',
    '/API/http/redirect/20/',
  ]) {
    const visited = await follow(`${start}?form=${form}&to=/api/methods/get?a=%2526b`);
    expect(visited).toHaveLength(21);
    const inside = start.startsWith('/s/') ? '/s/mine' : '';
    expect(visited.at(-1)).toBe(`${inside}/api/methods/get?a=%26b`);
  }
});

test('statuses of a list are used in turn', async () => {
  const statuses: number[] = [];
  let path = '/api/http/redirect/5?status=301,307,303';
  for (let count = 0; count < 5; count++) {
    const { status, headers } = await send(`GET ${path}`);
    statuses.push(status);
    path = headers.location ?? '';
  }
  expect(statuses).toEqual([301, 307, 303, 301, 307]);
  expect(path).toBe('/api/http/redirect/end?hops=5');
});

test.each([301, 302, 303, 307, 308])('%i responds to any method', async (status) => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    const response = await send(`${method} /api/http/redirect/1?status=${status}`);
    expect([method, response.status]).toEqual([method, status]);
    expect(response.headers.location).toBe('/api/http/redirect/end?hops=1');
  }
});

/** The method that a Fetch client sends after a POST; other methods stay unchanged. */
test.each([
  [301, 'POST', 'GET'],
  [302, 'POST', 'GET'],
  [303, 'POST', 'GET'],
  [303, 'PUT', 'GET'],
  [301, 'PUT', 'PUT'],
  [302, 'DELETE', 'DELETE'],
  [307, 'POST', 'POST'],
  [308, 'POST', 'POST'],
  [308, 'PATCH', 'PATCH'],
])('fetch follows %i of a %s by %s', async (status, method, expected) => {
  const response = await fetch(`${service.url}/api/http/redirect/2?status=${status}`, {
    method,
    body: 'hello',
    headers: { Authorization: 'Bearer x', Cookie: 'a=1' },
  });
  expect(response.redirected).toBe(true);
  expect(await response.json()).toMatchObject({
    method: expected,
    body: expected === 'GET' ? null : 'hello',
    authorization: 'Bearer x',
    hops: 2,
  });
});

test('the end reports everything that survived', async () => {
  const response = await send('PUT /api/http/redirect/end', {
    headers: { Authorization: 'Basic YTpi', Cookie: 'a=1; b=2', Referer: 'http://x.test/' },
    body: 'Zürich',
  });
  expect(response.json).toEqual({
    method: 'PUT',
    body: 'Zürich',
    authorization: 'Basic YTpi',
    cookies: [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ],
    referer: 'http://x.test/',
    hops: 0,
  });
  const bytes = await send('POST /api/http/redirect/end', { body: Uint8Array.of(255) });
  expect(bytes.json).toMatchObject({ body: '/w==', bodyEncoding: 'base64' });
  const much = await send('POST /api/http/redirect/end', { body: 'x'.repeat(65_537) });
  expect(much.json).toMatchObject({ body: 'x'.repeat(65_536), bodyTruncated: true });
});

test('a loop leads to itself, with its query', async () => {
  const { status, headers } = await send('GET /api/http/redirect/loop?status=308&a=b');
  expect([status, headers.location]).toEqual([308, '/api/http/redirect/loop?status=308&a=b']);
  const relative = await send('GET /s/x/api/http/redirect/loop?form=relative');
  expect(relative.headers.location).toBe('loop?form=relative');
  await expect(fetch(`${service.url}/api/http/redirect/loop`)).rejects.toThrow('fetch failed');
});

test('a redirect without Location is marked by a header only', async () => {
  const { status, headers } = await send('GET /api/http/redirect/missing-location?status=301');
  expect(status).toBe(301);
  expect(headers.location).toBeUndefined();
});

test('no redirect leads to a second port if there is none', async () => {
  const { status, json } = await send('GET /api/http/redirect/other-port');
  expect(status).toBe(404);
  expect(json.message).toContain('one port');
});

test.each([
  ['/httpbin/get?a%2520b%20c', '/httpbin/get?a%20b%20c'],
  ['/%C3%A9', '/%C3%A9'],
  ['/s/mine/%EC%95%88', '/s/mine/%EC%95%88'],
])('spaces and characters beyond ASCII in to=%s are escaped', async (to, location) => {
  const { status, headers } = await send(`GET /api/http/redirect/1?to=${to}`);
  expect([status, headers.location]).toEqual([302, location]);
});

test.each([
  ['0', 400],
  ['21', 400],
  ['99999999999', 404],
  ['-1', 404],
  ['x', 404],
  ['1?status=304', 400],
  ['1?status=302,', 400],
  ['1?form=other', 400],
  ['1?to=//evil.test', 400],
  ['1?to=/%5Cevil.test', 400],
  ['1?to=/%09/evil.test', 400],
  ['1?to=http://evil.test/', 400],
  ['1?to=evil.test', 400],
  ['1?to=', 400],
  ['1?to=/a%0D%0AX-A:b', 400],
  ['1?to=/a%20', 400],
  ['2?hops=21', 400],
])('/redirect/%s is rejected', async (target, status) => {
  const response = await send(`GET /api/http/redirect/${target}`);
  expect(response.status).toBe(status);
  expect(response.headers.location).toBeUndefined();
});

test('a client of HTTP/1.0 without Host is redirected as well', async () => {
  const connection = openConnection(service.url);
  connection.send('GET /api/http/redirect/1?form=absolute HTTP/1.0\r\n\r\n');
  await connection.ended;
  const [, location = ''] = /^Location: (.*)\r$/im.exec(connection.received().toString()) ?? [];
  expect(new URL(location).pathname).toBe('/api/http/redirect/end');
});

test('a target in absolute form stays at its own host', async () => {
  const connection = openConnection(service.url);
  const target = 'GET http://lab.test:81/api/http/redirect/1?form=absolute';
  connection.send(requestText(target, { Connection: 'close' }));
  await connection.ended;
  expect(connection.received().toString().toLowerCase()).toContain(
    '\r\nlocation: http://lab.test:81/api/http/redirect/end?',
  );
});
