import { expect, test } from 'vitest';
import { openConnection, requestText, splitResponse } from '../support/raw-connection.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService();
const { send } = service;

let names = 0;
/** A resource that no other test uses. */
const newPath = () => `/s/mine/api/http/cache/r${names++}`;

const hitsOf = async (path: string) => (await send(`GET ${path}/hits`)).json.hits;

test('the headers are as requested', async () => {
  const choices = 'maxAge=60&sMaxage=30&swr=5&sie=7&private=true&mustRevalidate=true&age=9';
  const { status, headers, json } = await send(
    `GET ${newPath()}?${choices}&vary=Accept,Accept-Language`,
  );
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'cache-control':
      'private, max-age=60, s-maxage=30, must-revalidate, stale-while-revalidate=5, stale-if-error=7',
    age: '9',
    vary: 'Accept,Accept-Language',
  });
  expect(headers.etag).toMatch(/^"r\d+-1-[0-9a-f]{8}"$/);
  expect(json.variant).toEqual({ accept: null, 'accept-language': null });
});

test('by default the response has a strong entity tag, and no Cache-Control', async () => {
  const { headers } = await send(`GET ${newPath()}`);
  expect(headers.etag).toMatch(/^"r\d+-1"$/);
  for (const name of ['cache-control', 'last-modified', 'expires', 'age', 'vary']) {
    expect(headers[name], name).toBeUndefined();
  }
});

test('query parameters apply to their request only, and PUT stores them', async () => {
  const path = newPath();
  expect((await send(`GET ${path}?noStore=true`)).headers['cache-control']).toBe('no-store');
  expect((await send(`GET ${path}`)).headers['cache-control']).toBeUndefined();
  expect((await send(`PUT ${path}?maxAge=60&etag=weak&other=1`)).status).toBe(200);
  const kept = await send(`GET ${path}`);
  expect(kept.headers).toMatchObject({ 'cache-control': 'max-age=60', etag: /^W\/"r\d+-2"$/ });
  const changed = await send(`GET ${path}?maxAge=5`);
  expect(changed.headers['cache-control']).toBe('max-age=5');
  expect((await send(`GET ${path}`)).headers['cache-control']).toBe('max-age=60');
});

test('PUT changes the content and its type, and it cannot run as a script', async () => {
  const path = newPath();
  const before = await send(`GET ${path}`);
  const put = await send(`PUT ${path}`, {
    headers: { 'Content-Type': 'text/html' },
    body: '<p>Zürich</p>',
  });
  expect(put.json).toMatchObject({ version: 2, url: service.url + path });
  const after = await send(`GET ${path}`);
  expect(after.text).toBe('<p>Zürich</p>');
  expect(after.headers['content-type']).toBe('text/html');
  expect(after.headers['content-security-policy']).toMatch(/^sandbox/);
  expect(after.headers.etag).toBe(put.headers.etag);
  expect(after.headers.etag).not.toBe(before.headers.etag);
  await send(`PUT ${path}`);
  expect((await send(`GET ${path}`)).json).toMatchObject({ version: 3 });
});

/** TAG is replaced by the entity tag, and MOMENT by the time of the last change. */
test.each([
  ['the current tag', { 'If-None-Match': 'TAG' }, 304, 412],
  ['a list with the current tag', { 'If-None-Match': '"x", TAG' }, 304, 412],
  ['the current tag marked weak', { 'If-None-Match': 'W/TAG' }, 304, 412],
  ['anything', { 'If-None-Match': '*' }, 304, 412],
  ['another tag', { 'If-None-Match': '"x"' }, 200, 200],
  ['the time of the change', { 'If-Modified-Since': 'MOMENT' }, 304, 200],
  ['an earlier time', { 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 200, 200],
  ['no date', { 'If-Modified-Since': 'tomorrow' }, 200, 200],
  [
    'another tag, which overrides the date',
    { 'If-None-Match': '"x"', 'If-Modified-Since': 'MOMENT' },
    200,
    200,
  ],
  ['If-Match with the current tag', { 'If-Match': 'TAG' }, 200, 200],
  ['If-Match with another tag', { 'If-Match': '"x"' }, 412, 412],
  ['If-Match with the current tag marked weak', { 'If-Match': 'W/TAG' }, 412, 412],
  ['anything, expected', { 'If-Match': '*' }, 200, 200],
  ['If-Unmodified-Since the change', { 'If-Unmodified-Since': 'MOMENT' }, 200, 200],
  [
    'If-Unmodified-Since an earlier time',
    { 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' },
    412,
    412,
  ],
  [
    'If-Match with the current tag, which overrides the date',
    { 'If-Match': 'TAG', 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' },
    200,
    200,
  ],
  ['the current tag, both ways', { 'If-Match': 'TAG', 'If-None-Match': 'TAG' }, 304, 412],
  ['another tag first', { 'If-Match': '"x"', 'If-None-Match': 'TAG' }, 412, 412],
])('conditional on %s: GET %o → %i, PUT → %i', async (_name, sent, got, put) => {
  const path = newPath();
  await send(`PUT ${path}?lastModified=true&maxAge=60`);
  const current = await send(`GET ${path}`);
  const { etag = '', 'last-modified': changed = '' } = current.headers;
  const headers = Object.entries(sent).map(
    ([name, value]) => [name, value.replace('TAG', etag).replace('MOMENT', changed)] as const,
  );
  for (const method of ['GET', 'HEAD']) {
    const response = await send(`${method} ${path}`, { headers });
    expect(response.status, method).toBe(got);
    if (got === 412) continue;
    expect(response.headers).toMatchObject({ etag, 'cache-control': 'max-age=60' });
  }
  expect((await send(`PUT ${path}`, { headers })).status).toBe(put);
});

test('a weak tag revalidates, and never permits a change', async () => {
  const path = newPath();
  await send(`PUT ${path}?etag=weak`);
  const { etag = '' } = (await send(`GET ${path}`)).headers;
  expect((await send(`GET ${path}`, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  expect((await send(`PUT ${path}`, { headers: { 'If-Match': etag } })).status).toBe(412);
});

test('several headers of one condition are combined', async () => {
  const path = newPath();
  const { etag = '' } = (await send(`GET ${path}`)).headers;
  const headers = [
    ['If-None-Match', '"x"'],
    ['If-None-Match', etag],
  ] as const;
  expect((await send(`GET ${path}`, { headers })).status).toBe(304);
});

test('of concurrent changes with the same tag, one succeeds', async () => {
  const path = newPath();
  const { etag = '' } = (await send(`GET ${path}`)).headers;
  const options: SendOptions = { headers: { 'If-Match': etag }, body: 'x' };
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => send(`PUT ${path}`, options)),
  );
  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
});

test('a 412 does not get the max-age of the resource', async () => {
  const path = newPath();
  await send(`PUT ${path}?maxAge=60`);
  const { status, headers } = await send(`GET ${path}`, { headers: { 'If-Match': '"x"' } });
  expect([status, headers['cache-control']]).toEqual([412, 'no-store']);
});

test('a 304 has no body and no Content-Length', async () => {
  const path = newPath();
  const { etag = '' } = (await send(`GET ${path}`)).headers;
  const connection = openConnection(service.url);
  connection.send(requestText(`GET ${path}`, { 'If-None-Match': etag, Connection: 'close' }));
  await connection.ended;
  const { status, headers, rest } = splitResponse(connection.received());
  expect([status, rest.length]).toEqual([304, 0]);
  expect(headers['content-type']).toBeUndefined();
  expect(headers['content-length']).toBeUndefined();
  expect(headers.etag).toBe(etag);
});

test('the content and the entity tag depend on the headers in Vary', async () => {
  const path = newPath();
  await send(`PUT ${path}?vary=Accept-Language`);
  const german = await send(`GET ${path}`, { headers: { 'Accept-Language': 'de' } });
  const french = await send(`GET ${path}`, { headers: { 'Accept-Language': 'fr' } });
  expect(german.json.variant).toEqual({ 'accept-language': 'de' });
  expect(german.headers.etag).not.toBe(french.headers.etag);
  const headers = { 'Accept-Language': 'fr', 'If-None-Match': german.headers.etag ?? '' };
  expect((await send(`GET ${path}`, { headers })).status).toBe(200);
});

test('Vary names the sandbox where a header could select one', async () => {
  const open = await send('GET /api/http/cache/x?vary=Accept');
  expect(open.headers.vary).toBe('Accept, X-Sandbox, X-Service-Key');
  const byHeader = await send('GET /api/http/cache/x', { headers: { 'X-Sandbox': 'mine' } });
  expect(byHeader.headers.vary).toBe('X-Sandbox, X-Service-Key');
});

test('Age and Expires follow the clock of the sandbox; Date is real', async () => {
  const at = (path: string) => `/s/clock${path}`;
  const path = at('/api/http/cache/x');
  await send(`PUT ${path}?age=10&expires=100&lastModified=true`);
  await send(`PUT ${at('/api/sandbox/clock')}`, { json: { offsetSeconds: 3600 } });
  const { headers } = await send(`GET ${path}`);
  expect(Number(headers.age)).toBeGreaterThanOrEqual(3610);
  expect(Number(headers.age)).toBeLessThan(3700);
  const dateMs = Date.parse(headers.date ?? '');
  expect(Math.abs(dateMs - Date.now())).toBeLessThan(600_000);
  const leftMs = Date.parse(headers.expires ?? '') - dateMs;
  expect(leftMs).toBeLessThan(-3_400_000);
  const asked = await send(`GET ${path}?age=1&expires=100`);
  expect(asked.headers.age).toBe('1');
  // No version is younger than its response, however far the clock was moved.
  await send(`PUT ${path}?lastModified=true`);
  const changed = await send(`GET ${path}`);
  const lastModifiedMs = Date.parse(changed.headers['last-modified'] ?? '');
  expect(lastModifiedMs).toBeLessThanOrEqual(Date.parse(changed.headers.date ?? ''));
});

test('hits are the requests that reached the origin, including a 304', async () => {
  const path = newPath();
  expect(await hitsOf(path)).toEqual([]);
  const { etag = '' } = (
    await send(`GET ${path}?maxAge=1&vary=Accept`, { headers: { Accept: 'text/a' } })
  ).headers;
  await send(`HEAD ${path}`, { headers: { 'Cache-Control': 'no-cache', 'X-Other': '1' } });
  await send(`GET ${path}?vary=Accept`, { headers: { Accept: 'text/a', 'If-None-Match': etag } });
  await send(`PUT ${path}`, { headers: { 'If-Match': '"x"' } });
  const hits = await hitsOf(path);
  const inside = path.slice('/s/mine'.length);
  expect(hits).toMatchObject([
    {
      method: 'GET',
      target: `${inside}?maxAge=1&vary=Accept`,
      status: 200,
      headers: { accept: 'text/a' },
    },
    { method: 'HEAD', status: 200, headers: { 'cache-control': 'no-cache' } },
    { method: 'GET', status: 304, headers: { 'if-none-match': etag } },
    { method: 'PUT', status: 412, headers: { 'if-match': '"x"' } },
  ]);
  expect(hits[1].headers).toEqual({ 'cache-control': 'no-cache' });
  expect(Date.parse(hits[0].at)).toBeGreaterThan(0);
});

test('the newest 100 hits are listed, and all are counted', async () => {
  const path = newPath();
  for (let count = 0; count < 103; count++) await send(`GET ${path}?age=${count}`);
  const { count, hits } = (await send(`GET ${path}/hits`)).json;
  expect([count, hits.length]).toEqual([103, 100]);
  expect(hits[0].target).toContain('age=3');
});

test('the shared sandbox stores nothing and records no hits', async () => {
  expect((await send('GET /api/http/cache/x?maxAge=60')).status).toBe(200);
  expect((await send('PUT /api/http/cache/x')).status).toBe(403);
  expect((await send('GET /api/http/cache/x/hits')).status).toBe(403);
  expect((await send('GET /api/http/cache/x')).json.version).toBe(1);
});

test.each([
  ['maxAge=-1', 'maxAge'],
  ['maxAge=x', 'maxAge'],
  ['maxAge=1&maxAge=2', 'maxAge'],
  ['age=2147483649', 'age'],
  ['etag=maybe', 'etag'],
  ['private=yes', 'private'],
  ['vary=a%0D%0Ab', 'vary'],
  ['vary=', 'vary'],
  ['lastModified=yesterday', 'lastModified'],
  ['expires=soon', 'expires'],
])('%s is rejected by GET and PUT', async (query, field) => {
  for (const method of ['GET', 'PUT']) {
    const { status, json } = await send(`${method} /s/mine/api/http/cache/x?${query}`);
    expect([status, json.errors[0].field]).toEqual([400, field]);
  }
});

test('a change that is too large, compressed or not text is rejected', async () => {
  const path = newPath();
  const tooLarge = await send(`PUT ${path}`, { body: 'x'.repeat(65_537) });
  expect(tooLarge.status).toBe(413);
  const coded = { headers: { 'Content-Encoding': 'gzip' }, body: 'x' };
  expect((await send(`PUT ${path}`, coded)).status).toBe(415);
  expect((await send(`PUT ${path}`, { body: Uint8Array.of(255) })).status).toBe(400);
  const script = { headers: { 'Content-Type': 'text/javascript' }, body: 'x' };
  expect((await send(`PUT ${path}`, script)).status).toBe(400);
  expect((await send(`GET /s/mine/api/http/cache/${'x'.repeat(65)}`)).status).toBe(400);
  expect((await send(`GET ${path}`)).json.version).toBe(1);
});
