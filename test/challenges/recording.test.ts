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
