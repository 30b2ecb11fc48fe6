/** Recorded requests of a sandbox: their log, HAR, and what they leave out. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();

const inSandbox = (name: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { 'X-Sandbox': name, ...more },
});

async function record(name: string, on = true) {
  const { json } = await send('PUT /api/sandbox/recording', { ...inSandbox(name), json: { on } });
  expect(json).toEqual({ on });
}

const requestsIn = async (name: string, query = '') =>
  (await send(`GET /api/sandbox/requests${query}`, inSandbox(name))).json;

test('nothing is recorded until recording is on, or in another sandbox', async () => {
  await send('GET /api/Books/1', inSandbox('off'));
  expect(await requestsIn('off')).toEqual({ recording: false, requests: [] });
  await record('on');
  await send('GET /api/Books/1', inSandbox('off'));
  expect((await requestsIn('on')).requests).toEqual([]);
});

test('entries have method, path, status and id, without the query', async () => {
  await record('log');
  await send('GET /api/Books?limit=1', inSandbox('log', { 'X-Request-Id': 'mine' }));
  await send('GET /s/log/api/nowhere');
  await send('POST /api/Books/1', inSandbox('log'));
  await send('GET /api/Books/1?error=503', inSandbox('log'));
  await send('GET /api/sse/clock?count=1&interval=0', inSandbox('log'));
  const { requests } = await requestsIn('log');
  expect(requests[0]).toMatchObject({ method: 'GET', path: '/api/Books', requestId: 'mine' });
  expect(requests.map((each: { status: number }) => each.status)).toEqual([
    200, 404, 405, 503, 200,
  ]);
  expect(requests[3].fault).toBe('error=503');
  const { requests: later } = await requestsIn('log', `?since=${requests[3].id}`);
  expect(later).toEqual(requests.slice(4));
});

test('recording can be stopped, and its entries remain until a reset', async () => {
  await record('stopped');
  await send('GET /api/Books/1', inSandbox('stopped'));
  await record('stopped', false);
  await send('GET /api/Books/2', inSandbox('stopped'));
  expect((await requestsIn('stopped')).requests).toHaveLength(1);
  await send('DELETE /api/sandbox', inSandbox('stopped'));
  expect((await requestsIn('stopped')).requests).toEqual([]);
});

test('HAR 1.2 has no bodies and no credentials', async () => {
  await record('har');
  const secrets = { Authorization: 'Bearer hush', Cookie: 'id=hush', 'X-API-Key': 'hush' };
  await send('GET /api/auth/api-key/query?api_key=hush&page=1', inSandbox('har', secrets));
  const json = { username: 'user', password: 'user-secret' };
  const login = await send('POST /api/auth/jwt/login', { ...inSandbox('har'), json });
  const har = await send(
    'GET /api/sandbox/requests',
    inSandbox('har', { Accept: 'application/har+json' }),
  );
  expect(har.headers['content-type']).toMatch(/^application\/har\+json/);
  expect(har.text).not.toMatch(/hush|user-secret/);
  expect(har.text).not.toContain(login.json.accessToken);
  const [first, second] = har.json.log.entries;
  expect(har.json.log.version).toBe('1.2');
  expect(first.request.url).toMatch(/api-key\/query\?api_key=%28removed%29&page=1$/);
  expect(second.response.status).toBe(200);
  expect(second.timings).toMatchObject({ send: 0, receive: 0 });
});

/** Requests with a secret in each place, and where a path without it ends. */
const secretRequests: readonly (readonly [target: string, path: string])[] = [
  ['GET /api/auth/basic/ada/hush', '/api/auth/basic/ada/(removed)'],
  ['GET /api/auth/basic-hidden/ada/hush', '/api/auth/basic-hidden/ada/(removed)'],
  ['GET /httpbin/basic-auth/ada/hush', '/httpbin/basic-auth/ada/(removed)'],
  ['GET /httpbin/hidden-basic-auth/ada/hush/', '/httpbin/hidden-basic-auth/ada/(removed)/'],
  ['GET /httpbin/digest-auth/auth/ada/hush/MD5', '/httpbin/digest-auth/auth/ada/(removed)/MD5'],
  ['GET /httpbin/cookies/set/id/hush', '/httpbin/cookies/set/id/(removed)'],
  ['GET /httpbin/base64/hush', '/httpbin/base64/(removed)'],
  ['GET /httpbin/anything/hush/more', '/httpbin/anything/(removed)'],
  ['GET /api/webhooks/hushhushhushhushhushhh/x', '/api/webhooks/(removed)/(removed)'],
  ['GET /api/webhooks/bins/hush/requests', '/api/webhooks/bins/(removed)/requests'],
  ['GET /api/nowhere/hush', '/api/(removed)'],
  ['GET /hush', '/(removed)'],
  ['GET /api/Books/1/hush/more', '/api/Books/1/(removed)'],
  ['PATCH /api/auth/basic/ada/hush', '/api/auth/basic/ada/(removed)'],
  ['GET /%61pi/bOOKS/1', '/%61pi/bOOKS/1'],
  ['GET /api/Books/1?hush=1', '/api/Books/1'],
  ...['pw', 'pin', 'otp', 'sig', 'x', 'PASSWORD', 'api_key', 'q2'].map(
    (name) => [`GET /api/Books/1?${name}=hush`, '/api/Books/1'] as const,
  ),
  [
    'GET /graphql?query={a(b:"hush")}&variables={"a":"hush"}'.replace(/[{}"]/g, encodeURIComponent),
    '/graphql',
  ],
  [
    'GET /oidc/authorize?state=hush&login_hint=hush&redirect_uri=https://hush:hush@a.example/hush?x=hush%26hush',
    '/oidc/authorize',
  ],
  ['GET /api/http/status/418?body=hush&header=X-A:hush', '/api/http/status/418'],
  ['GET /httpbin/redirect-to?url=https://a.example/?a=hush%23hush', '/httpbin/redirect-to'],
  ['GET /my/things?secretField=hush', '/my/things'],
];

const secretHeaders = {
  ...{ Pin: 'hush', 'X-Pin': 'hush', 'X-Anything': 'hush', Authorization: 'hush', Cookie: 'hush' },
  ...{ Referer: 'http://a/hush', 'X-Request-Id': '/hush/', 'X-Signature': 'hush', OTP: 'hush' },
  ...{ 'Sec-WebSocket-Protocol': 'hush', 'X-Original-URL': '/hush', 'Upload-Metadata': 'hush' },
};

test('values are shown by an allow list: of headers, parameters and parts of the path', async () => {
  await record('allowed');
  const { headers } = inSandbox('allowed', secretHeaders);
  for (const [target] of secretRequests) await send(target, { headers });
  const har = await send(
    'GET /api/sandbox/requests',
    inSandbox('allowed', { Accept: 'application/har+json' }),
  );
  const { requests } = await requestsIn('allowed');
  expect(requests.map(({ path }: { path: string }) => path)).toEqual(
    secretRequests.map(([, path]) => path),
  );
  // Names are shown.
  const text = JSON.stringify([har.json, requests]).replaceAll(/"name":"hush"|[?"]hush=/g, '');
  expect(text).not.toContain('hush');
  const sentNames = har.json.log.entries[0].request.headers.map(({ name }: { name: string }) =>
    name.toLowerCase(),
  );
  expect(sentNames).toEqual(
    expect.arrayContaining(Object.keys(secretHeaders).map((name) => name.toLowerCase())),
  );
  for (const { request } of har.json.log.entries) expect(() => new URL(request.url)).not.toThrow();
});

test('what endpoints declare is shown, and what is harmless everywhere', async () => {
  await record('useful');
  const headers = {
    ...{ Accept: 'application/json', 'User-Agent': 'my-client/1.0', 'X-Client-Id': 'mine' },
    ...{ 'Idempotency-Key': 'k-1', 'If-None-Match': '"a"', 'Content-Type': 'text/plain' },
  };
  await send('GET /api/RateLimit?limit=5&window=9', inSandbox('useful', headers));
  await send('GET /api/Books?author=Tolkien&page=2&sort=title', inSandbox('useful', headers));
  await send('GET /api/http/redirect/2?form=absolute', inSandbox('useful'));
  const { json } = await send(
    'GET /api/sandbox/requests',
    inSandbox('useful', { Accept: 'application/har+json' }),
  );
  const [limited, books, redirect] = json.log.entries;
  const shownAs = (list: { name: string; value: string }[], name: string) =>
    list.find((each) => each.name.toLowerCase() === name)?.value;
  expect(shownAs(limited.request.headers, 'x-client-id')).toBe('mine');
  expect(shownAs(limited.response.headers, 'x-ratelimit-limit')).toBe('5');
  for (const [name, value] of Object.entries(headers).filter(([name]) => name !== 'X-Client-Id')) {
    expect([name, shownAs(books.request.headers, name.toLowerCase())]).toEqual([name, value]);
  }
  expect(books.request.url).toMatch(/\/api\/Books\?author=Tolkien&page=2&sort=title$/);
  expect(redirect.response.redirectURL).toMatch(
    /^http:\/\/[^/]+\/api\/http\/redirect\/1\?form=\(removed\)&hops=\(removed\)$/,
  );
});

test('a long list is complete and in order, in both formats', async () => {
  await record('long');
  const ids = Array.from({ length: 11 }, (_, index) => `r${index}`);
  for (const id of ids) await send('GET /api/Books/1', inSandbox('long', { 'X-Request-Id': id }));
  const { requests } = await requestsIn('long');
  expect(requests.map((each: { requestId: string }) => each.requestId)).toEqual(ids);
  const since = `?since=${requests[2].id}`;
  expect((await requestsIn('long', since)).requests).toEqual(requests.slice(3));
  expect((await requestsIn('long', `?since=${requests[10].id}`)).requests).toEqual([]);
  const har = inSandbox('long', { Accept: 'application/har+json' });
  const { json } = await send(`GET /api/sandbox/requests${since}`, har);
  expect(json.log.entries.map((each: { _requestId: string }) => each._requestId)).toEqual(
    ids.slice(3),
  );
  const head = await send('HEAD /api/sandbox/requests', har);
  expect([head.status, head.text]).toEqual([200, '']);
});

test('the shared sandbox is never recorded', async () => {
  expect((await send('GET /api/sandbox/requests')).status).toBe(403);
  expect((await send('PUT /api/sandbox/recording', { json: { on: true } })).status).toBe(403);
});
