/** Basic, bearer and Digest with the credentials of the path. */

import { describe, expect, test } from 'vitest';
import {
  authenticateByDigest,
  challengeParams,
  type DigestResponse,
} from '../support/authenticate-by-digest.js';
import { useService } from '../support/service.js';

const { send } = useService();
const basic = (user: string) => ({
  Authorization: `Basic ${Buffer.from(user).toString('base64')}`,
});

describe('/basic-auth', () => {
  test.each([
    ['/user/passwd', 'user:passwd', 'user'],
    ['/%C5%BEofie/p%C3%A4ss%2F%20w', 'žofie:päss/ w', 'žofie'],
    ['/User/with:colons', 'User:with:colons', 'User'],
  ])('%s accepts %s', async (path, sent, user) => {
    const response = await send(`GET /httpbin/basic-auth${path}`, { headers: basic(sent) });
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ authenticated: true, user });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  test.each([
    ['nothing', {}],
    ['a wrong password', basic('user:other')],
    ['another letter case', basic('User:passwd')],
    ['another scheme', { Authorization: 'Bearer x' }],
    ['invalid base64', { Authorization: 'Basic !' }],
  ])('rejects %s, with a challenge', async (_name, headers) => {
    const response = await send('GET /httpbin/basic-auth/user/passwd', { headers });
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toMatch(/^Basic realm="/);
  });

  test('rejects a user name that no client could send', async () => {
    expect((await send('GET /httpbin/basic-auth/a%3Ab/c')).status).toBe(400);
  });
});

test('/hidden-basic-auth is 404 without a challenge for other credentials', async () => {
  const path = '/httpbin/hidden-basic-auth/user/passwd';
  const { status, headers } = await send(`GET ${path}`);
  expect([status, headers['www-authenticate']]).toEqual([404, undefined]);
  expect((await send(`GET ${path}`, { headers: basic('user:passwd') })).status).toBe(200);
});

test('/bearer accepts any token', async () => {
  const headers = { Authorization: 'Bearer abc.1~' };
  const { json } = await send('GET /httpbin/bearer', { headers });
  expect(json).toEqual({ authenticated: true, token: 'abc.1~' });
});

test.each(['', 'Basic YTpi', 'Bearer', 'Bearer '])('/bearer rejects %j', async (authorization) => {
  const { status, headers } = await send('GET /httpbin/bearer', { headers: { authorization } });
  expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
});

describe('/digest-auth', () => {
  const user = { username: 'user', password: 'pass' };

  async function challengeOf(target: string): Promise<string> {
    const { status, headers } = await send(`GET ${target}`);
    expect(status).toBe(401);
    return headers['www-authenticate'] ?? '';
  }

  function response(target: string, challenge: string, changes: Partial<DigestResponse> = {}) {
    const authorization = authenticateByDigest(challenge, { ...user, uri: target, ...changes });
    const { body } = changes;
    return send(`GET ${target}`, { headers: { authorization }, ...(body && { body }) });
  }

  test.each([
    ['/auth/user/pass', 'MD5', 'auth'],
    ['/auth-int/user/pass', 'MD5', 'auth-int'],
    ['/auth/user/pass/MD5', 'MD5', 'auth'],
    ['/auth/user/pass/SHA-256', 'SHA-256', 'auth'],
    ['/auth-int/user/pass/SHA-512', 'SHA-512', 'auth-int'],
    ['/auth/user/pass/unknown/never', 'MD5', 'auth'],
  ])('%s accepts %s with %s', async (path, algorithm, qop) => {
    const target = `/httpbin/digest-auth${path}?a=b%20c`;
    const challenge = await challengeOf(target);
    const params = challengeParams(challenge);
    expect(params.qop).toBe(qop);
    expect(params.algorithm).toBe(algorithm);
    const right = await response(target, challenge, { body: 'x' });
    expect(right.json).toEqual({ authenticated: true, user: 'user' });
    const wrong = await response(target, challenge, { password: 'other', nc: 2 });
    expect(wrong.status).toBe(401);
    expect(wrong.headers['www-authenticate']).not.toContain('stale');
  });

  test('authenticates the server, too', async () => {
    const target = '/httpbin/digest-auth/auth/user/pass';
    const { headers } = await response(target, await challengeOf(target));
    expect(headers['authentication-info']).toMatch(/^rspauth="[\da-f]{32}", qop=auth, nc=00000001/);
  });

  test('the uri of credentials has the prefix of the sandbox', async () => {
    const target = '/s/mine/httpbin/digest-auth/auth/user/pass';
    const challenge = await challengeOf(target);
    expect((await response(target, challenge)).status).toBe(200);
    const again = await challengeOf(target);
    const uri = '/httpbin/digest-auth/auth/user/pass';
    expect((await response(target, again, { uri })).status).toBe(401);
  });

  test('another qop offers both, and accepts credentials without one', async () => {
    const target = '/httpbin/digest-auth/any/user/pass';
    const challenge = await challengeOf(target);
    expect(challengeParams(challenge).qop).toBe('auth,auth-int');
    expect((await response(target, challenge, { qop: 'auth-int', body: 'x' })).status).toBe(200);
    const old = (await challengeOf(target)).replace('qop="auth,auth-int", ', '');
    expect((await response(target, old)).status).toBe(200);
    expect((await response(target, old)).headers['www-authenticate']).toContain('stale=true');
  });

  test.each([
    ['with a qop', '/auth', (challenge: string) => challenge],
    ['without', '/any', (challenge: string) => challenge.replace('qop="auth,auth-int", ', '')],
  ])('a nonce expires after the uses in the path, %s', async (_name, qop, of) => {
    const target = `/httpbin/digest-auth${qop}/user/pass/MD5/2`;
    const challenge = of(await challengeOf(target));
    for (const nc of [1, 2]) expect((await response(target, challenge, { nc })).status).toBe(200);
    const stale = await response(target, challenge, { nc: 3 });
    expect(stale.status).toBe(401);
    expect(stale.headers['www-authenticate']).toContain('stale=true');
    expect((await response(target, of(stale.headers['www-authenticate'] ?? ''))).status).toBe(200);
  });

  test('no nonce count is accepted twice, even concurrently', async () => {
    const target = '/httpbin/digest-auth/auth/user/pass';
    const challenge = await challengeOf(target);
    const responses = await Promise.all([1, 2, 3, 4].map(() => response(target, challenge)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test('with require-cookie, the client must send the cookie of the challenge', async () => {
    const target = '/httpbin/digest-auth/auth/user/pass?require-cookie=1';
    const first = await send(`GET ${target}`);
    expect(first.headers['set-cookie']).toEqual(['fake=fake_value; Path=/httpbin']);
    const challenge = first.headers['www-authenticate'] ?? '';
    expect((await response(target, challenge)).status).toBe(403);
    const authorization = authenticateByDigest(challenge, { ...user, uri: target });
    const headers = { authorization, Cookie: 'a=b; fake=fake_value' };
    expect((await send(`GET ${target}`, { headers })).status).toBe(200);
  });

  test.each(['0', '-1', 'x', '1e9', '99999999999'])(
    'rejects a stale_after of %s',
    async (count) => {
      const target = `/httpbin/digest-auth/auth/user/pass/MD5/${count}`;
      const received = await response(target, await challengeOf(target));
      expect(received.status).toBe(400);
    },
  );
});
