/** Two services over one server, as behind a load balancer that sends each request to either. */

import { once } from 'node:events';
import { EventSource } from 'eventsource';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { authenticateByDigest } from '../support/authenticate-by-digest.js';
import { demoCredentials } from '../support/demo-credentials.js';
import { testsWith } from '../support/foreign-program.js';
import { issuerAt } from '../support/oidc.js';
import { newPrefix, type RedisServer, startRedis } from '../support/redis.js';
import { type HttpResponse, type SendOptions, send } from '../support/service.js';

testsWith('redis').describe('two services with a shared state', () => {
  let redis: RedisServer;
  let services: readonly [Service, Service];
  let nowMs = Date.UTC(2026, 0, 1);
  /** A value that both return, whichever gets the request. */
  const baseUrl = 'http://api.example.com';

  beforeAll(async () => {
    redis = await startRedis();
    const options = { stateUrl: redis.url, statePrefix: newPrefix(), baseUrl, now: () => nowMs };
    services = await Promise.all([createService(options), createService(options)]);
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.close()));
    await redis.close();
  });
  beforeEach(() => {
    nowMs += 3_600_000;
  });

  const one = (target: string, options?: SendOptions) => send(services[0].url, target, options);
  const other = (target: string, options?: SendOptions) => send(services[1].url, target, options);
  const either = (index: number) => (index % 2 === 0 ? one : other);

  async function login() {
    const { jwt } = await demoCredentials({ send: one });
    const { username, password } = { ...jwt[0] };
    const { json } = await one('POST /api/auth/jwt/login', { json: { username, password } });
    return json as { accessToken: string; refreshToken: string };
  }
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  test('of 400 concurrent requests of one client exactly 5 pass', async () => {
    const headers = { 'x-client-id': 'a crowd' };
    const responses = await Promise.all(
      Array.from({ length: 400 }, (_, index) => either(index)('GET /api/RateLimit', { headers })),
    );
    const passed = responses.filter(({ status }) => status === 200);
    expect(passed.map(({ json }) => json.used).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(395);
  });

  test('of fifty rotations of keys one succeeds, and both publish its keys', async () => {
    const rotate = (index: number) => either(index)('POST /s/rotated/oidc/keys/rotate');
    const responses = await Promise.all(Array.from({ length: 50 }, (_, index) => rotate(index)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(49).fill(409)]);
    const given = responses.find(({ status }) => status === 200)?.json;
    for (const ask of [one, other]) {
      expect((await ask('GET /s/rotated/oidc/jwks')).json).toEqual(given);
    }
  });

  test('of fifty exchanges of a code, and refreshes, one succeeds, and its tokens are revoked', async () => {
    let sent = 0;
    const issuer = issuerAt({ send: (...request) => either(sent++)(...request) }, '/s/codes');
    const code = await issuer.code({ scope: 'openid offline_access' });
    const crowd = (ask: () => Promise<HttpResponse>) =>
      Promise.all(Array.from({ length: 50 }, ask));
    const first = await issuer.redeem(await issuer.code({ scope: 'openid offline_access' }));
    const refresh = { grant_type: 'refresh_token', refresh_token: first.json.refresh_token };
    for (const responses of [
      await crowd(() => issuer.redeem(code)),
      await crowd(() => issuer.token(refresh)),
    ]) {
      const [given, ...others] = responses.filter(({ status }) => status === 200);
      expect(others).toEqual([]);
      expect((await issuer.get('userinfo', given?.json.access_token)).status).toBe(401);
    }
  });

  test('of 100 concurrent requests exactly the planned ones fail, and the log has all', async () => {
    const headers = { 'x-sandbox': 'planned' };
    const sequence = Array.from({ length: 30 }, () => ({ status: 503 }));
    await one('PUT /api/sandbox/faults', { headers, json: { rules: [{ sequence }] } });
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => either(index)('GET /api/Books/1', { headers })),
    );
    expect(responses.filter(({ status }) => status === 503)).toHaveLength(30);
    const acts = new Set(responses.flatMap((response) => response.headers['x-fault'] ?? []));
    expect(acts.size).toBe(30);
    const { json: log } = await other('GET /api/sandbox/faults/log', { headers });
    expect(log.attempts).toHaveLength(100);
    expect((await other('GET /api/sandbox/faults', { headers })).json.rules[0].acted).toBe(30);
    await other('DELETE /api/sandbox/faults', { headers });
    expect((await one('GET /api/sandbox/faults', { headers })).json).toEqual({ rules: [] });
  });

  test('a wait for an attempt on one ends with an attempt on the other', async () => {
    const headers = { 'x-sandbox': 'awaited' };
    await one('PUT /api/sandbox/faults', {
      headers,
      json: { rules: [{ sequence: [{ reset: true }] }] },
    });
    const waiting = one('GET /api/sandbox/faults/log?wait=50', { headers });
    await expect(other('GET /api/Books/1', { headers })).rejects.toThrow();
    expect((await waiting).json.attempts).toHaveLength(1);
  });

  test('one service accepts a token signed by the other', async () => {
    const { accessToken } = await login();
    expect((await other('GET /api/auth/jwt/me', bearer(accessToken))).status).toBe(200);
  });

  test('a refresh token works once on both, and its second use revokes on both', async () => {
    const { refreshToken } = await login();
    const refresh = (sender: typeof one, token: string) =>
      sender('POST /api/auth/jwt/refresh', { json: { refreshToken: token } });
    const next = await refresh(other, refreshToken);
    expect(next.status).toBe(200);
    expect((await refresh(one, next.json.refreshToken)).status).toBe(200);
    expect((await refresh(one, refreshToken)).status).toBe(401);
    expect((await refresh(other, next.json.refreshToken)).status).toBe(401);
  });

  test('of 50 concurrent uses of a refresh token one succeeds', async () => {
    const { refreshToken } = await login();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        either(index)('POST /api/auth/jwt/refresh', { json: { refreshToken } }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(49);
  });

  test('one service accepts a Digest nonce of the other, and both count its uses together', async () => {
    const { digest } = await demoCredentials({ send: one });
    const uri = '/api/auth/digest';
    const challenge = await one(`GET ${uri}`);
    expect(challenge.status).toBe(401);
    const offered = String(challenge.headers['www-authenticate']).split(/, (?=Digest )/)[0] ?? '';
    const authorization = authenticateByDigest(offered, { ...digest, uri });
    const uses = [other, one].map((sender) => sender(`GET ${uri}`, { headers: { authorization } }));
    const statuses = (await Promise.all(uses)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 401]);
  });

  test('an OAuth token, a CSRF token and a cursor are valid on both', async () => {
    const { oauth } = await demoCredentials({ send: one });
    const issued = await one('POST /api/auth/oauth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: oauth.clientId,
        client_secret: oauth.clientSecret,
      }).toString(),
    });
    const token = issued.json.access_token;
    expect((await other('GET /api/auth/oauth/protected', bearer(token))).status).toBe(200);

    const { csrfToken } = (await one('GET /api/auth/csrf/token')).json;
    const headers = { cookie: `XSRF-TOKEN=${csrfToken}`, 'x-csrf-token': csrfToken };
    expect((await other('POST /api/auth/csrf/submit', { headers })).status).toBe(200);

    const { json: page } = await one('GET /api/pagination/cursor?limit=3');
    const next = await other(`GET /api/pagination/cursor?limit=3&cursor=${page.next_cursor}`);
    expect(next.status).toBe(200);
  });

  test('records written over REST on one are read over GraphQL on the other', async () => {
    const sandbox = { 'x-sandbox': 'records' };
    const query = '{ books { id title } }';
    const read = async (sender: typeof one) =>
      (await sender('POST /graphql', { headers: sandbox, json: { query } })).json.data.books;
    const books = await read(other);
    const removed = await one(`DELETE /api/Books/${books[0].id}`, { headers: sandbox });
    expect(removed.status).toBeLessThan(300);
    expect(await read(other)).toEqual(books.slice(1));
    expect((await one('DELETE /api/sandbox', { headers: sandbox })).status).toBe(204);
    expect(await read(other)).toEqual(books);
  });

  test('a clock that is set on one is set on the other', async () => {
    const headers = { 'x-sandbox': 'clock' };
    await one('PUT /api/sandbox/clock', { headers, json: { offsetSeconds: 3600 } });
    const { json } = await other('GET /api/sandbox/clock', { headers });
    expect(json).toEqual({ now: new Date(nowMs + 3_600_000).toISOString(), offsetSeconds: 3600 });
  });

  test('a capture on one is streamed by the other, and read there byte for byte', async () => {
    const { json: bin } = await one('POST /api/webhooks/bins');
    const source = new EventSource(`${services[1].url}/api/webhooks/bins/${bin.id}/events`);
    const events: { body: string }[] = [];
    source.onmessage = ({ data }) => void events.push(JSON.parse(data));
    await once(source as never, 'open').catch(() => {});
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    const captures: HttpResponse[] = [];
    for (let index = 0; index < 20; index++) {
      captures.push(await one(`POST /api/webhooks/${bin.id}?n=${index}`, { body: bytes }));
    }
    await expect.poll(() => events).toHaveLength(20);
    source.close();
    const { requestId } = captures[0]?.json ?? {};
    const read = await other(`GET /api/webhooks/bins/${bin.id}/requests/${requestId}/body`);
    expect(Buffer.compare(read.bytes, bytes)).toBe(0);
  });

  test('a client that waits on one for a capture gets it when it is sent to the other', async () => {
    const { json: bin } = await one('POST /api/webhooks/bins');
    const waiting = one(`GET /api/webhooks/bins/${bin.id}/requests?wait=20&after=0`);
    await other(`POST /api/webhooks/${bin.id}`, { body: 'at last' });
    expect((await waiting).json.map((each: { body: string }) => each.body)).toEqual(['at last']);
  });

  test('written data and keys outlive both', async () => {
    const options = { stateUrl: redis.url, statePrefix: newPrefix(), baseUrl };
    const before = await createService(options);
    const { json: bin } = await send(before.url, 'POST /api/webhooks/bins');
    const { json: page } = await send(before.url, 'GET /api/pagination/cursor');
    await before.close();
    const after = await createService(options);
    expect((await send(after.url, `GET /api/webhooks/bins/${bin.id}`)).status).toBe(200);
    const target = `GET /api/pagination/cursor?cursor=${page.next_cursor}`;
    expect((await send(after.url, target)).status).toBe(200);
    await after.close();
  });
});
