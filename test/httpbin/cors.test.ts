/** CORS as in httpbin, with credentials wherever a page learns nothing about its visitor. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();
const origin = 'https://page.example';
const cookie = 'a=1';

async function allowed(target: string, headers: Readonly<Record<string, string>>) {
  const response = await send(target, { headers });
  const { headers: got } = response;
  return [got['access-control-allow-origin'], got['access-control-allow-credentials']];
}

test('without Origin, every origin is allowed', async () => {
  expect(await allowed('GET /httpbin/get', {})).toEqual(['*', 'true']);
  expect((await send('GET /httpbin/get')).headers.vary).toBe('Origin');
});

test.each([
  ['GET /httpbin/get', {}],
  ['GET /HTTPBIN/get', {}],
  ['GET /s/mine/httpbin/anything', {}],
  ['GET /httpbin/nothing', {}],
  ['GET /httpbin/status/404', { cookie }],
  ['GET /httpbin/basic-auth/a/b', { authorization: 'Basic YTpi' }],
  ['GET /httpbin/redirect/1', { cookie }],
  ['HEAD /httpbin/json', { cookie }],
])('%s with %j allows the origin', async (target, headers) => {
  expect(await allowed(target, { origin, ...headers })).toEqual([origin, 'true']);
});

test.each([
  ['GET /httpbin/get', { cookie }],
  ['GET /httpbin/cookies', { cookie }],
  ['GET /s/mine/httpbin/headers', { authorization: 'Basic YTpi' }],
  ['GET /httpbin/%67et', { cookie }],
  ['GET /httpbin/stat%75s/200', { cookie }],
  ['GET /httpbin/statuses', { cookie }],
])('%s with %j, which belongs to the visitor, does not', async (target, headers) => {
  expect(await allowed(target, { origin, ...headers })).toEqual(['*', 'true']);
});

test('pages of the same host share its cookies, so they may read them', async () => {
  const sameHost = 'http://localhost:5173';
  const host = 'localhost:3000';
  const headers = { cookie, host, origin: sameHost };
  expect(await allowed('GET /httpbin/cookies', headers)).toEqual([sameHost, 'true']);
  const other = { ...headers, origin: 'http://localhost.example' };
  expect(await allowed('GET /httpbin/cookies', other)).toEqual(['*', 'true']);
});

test('a preflight allows the origin, its method and its headers', async () => {
  const { status, headers } = await send('OPTIONS /httpbin/anything', {
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'x-mine',
    },
  });
  expect(status).toBe(204);
  expect(headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'x-mine',
    vary: 'Origin, Access-Control-Request-Headers',
  });
});

test('OPTIONS without a preflight has the same headers', async () => {
  const plain = (await send('OPTIONS /httpbin/get')).headers;
  expect(plain).toMatchObject({
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, PATCH, OPTIONS',
    'access-control-max-age': '3600',
  });
  expect(plain['access-control-allow-headers']).toBeUndefined();
  const headers = { 'Access-Control-Request-Headers': 'X-Test-Header' };
  const named = await send('OPTIONS /httpbin/get', { headers });
  expect(named.headers['access-control-allow-headers']).toBe('X-Test-Header');
});

test.each(['null', 'origin', 'http://[::1', 'a, b', `http://${'a'.repeat(1200)}`])(
  'the origin %s is echoed only as one word of up to a kilobyte',
  async (sent) => {
    const isWord = !sent.includes(' ') && sent.length < 1000;
    const [allowedOrigin] = await allowed('GET /httpbin/get', { origin: sent });
    expect(allowedOrigin).toBe(isWord ? sent : '*');
  },
);

test('other paths allow every origin without credentials', async () => {
  for (const path of ['/api/Books', '/httpbinary', '/api/webhooks/bins']) {
    expect(await allowed(`GET ${path}`, { origin })).toEqual(['*', undefined]);
  }
});

test('capturing URLs allow credentials, for a response, a preflight and an unknown bin', async () => {
  const { json } = await send('POST /api/webhooks/bins', { json: {} });
  const path = `/api/webhooks/${json.id}`;
  const headers = { origin, cookie };
  expect(await allowed(`POST ${path}`, headers)).toEqual([origin, 'true']);
  expect(await allowed(`GET ${path}/below`, headers)).toEqual([origin, 'true']);
  expect(await allowed(`GET /api/webhooks/${'x'.repeat(22)}`, headers)).toEqual([origin, 'true']);
  const preflight = { origin, 'access-control-request-method': 'POST' };
  expect(await allowed(`OPTIONS ${path}`, preflight)).toEqual([origin, 'true']);
});
