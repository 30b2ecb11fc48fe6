import { createHmac } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createService } from '../support/create-service.js';
import { demoCredentials } from '../support/demo-credentials.js';
import { send, useService } from '../support/service.js';

const startMs = Date.UTC(2026, 0, 1, 12) + 789;
const startSeconds = Math.floor(startMs / 1000);
let nowMs = startMs;
const jwtKey = 'a configured key of 32 bytes or more';
const service = useService({ now: () => nowMs, jwtKey });

const claimNames = {
  nameIdentifier: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier',
  role: 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role',
  email: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
};

type User = { username: string; password: string; role: string };
let admin: User;
let user: User;
beforeAll(async () => {
  const { jwt } = await demoCredentials(service);
  admin = jwt.find(({ role }) => role === 'admin') as User;
  user = jwt.find(({ role }) => role === 'user') as User;
});
beforeEach(() => {
  nowMs = startMs;
});

async function login({ username, password }: User = user) {
  const { status, json } = await service.send('POST /api/auth/jwt/login', {
    json: { username, password },
  });
  expect(status).toBe(200);
  return json as { accessToken: string; refreshToken: string };
}

function get(path: string, token: string) {
  return service.send(`GET /api/auth/jwt/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
}

function refresh(refreshToken: string) {
  return service.send('POST /api/auth/jwt/refresh', { json: { refreshToken } });
}

function invalidToken(description: string): string {
  return `Bearer realm="Practice API", error="invalid_token", error_description="${description}"`;
}

describe('login', () => {
  test('responds with the documented record, which must not be stored', async () => {
    const { status, headers, json } = await service.send('POST /api/auth/jwt/login', {
      json: { username: admin.username, password: admin.password },
    });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(json).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: 'Bearer',
      expiresIn: 900,
      refreshToken: expect.stringMatching(/^jrt_[0-9a-f]{40}$/),
      user: { username: admin.username, role: 'admin', name: expect.any(String) },
    });
  });

  test('the access token holds the documented claims', async () => {
    const { accessToken } = await login();
    expect(decodeJwt(accessToken)).toEqual({
      [claimNames.nameIdentifier]: user.username,
      [claimNames.role]: 'user',
      [claimNames.email]: expect.stringContaining('@'),
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      nbf: startSeconds,
      exp: startSeconds + 900,
      iss: service.url,
      aud: service.url,
    });
  });

  test('an unknown user and a wrong password get the same response', async () => {
    const attempt = (username: string, password: string) =>
      service.send('POST /api/auth/jwt/login', { json: { username, password } });
    const responses = await Promise.all([
      attempt(user.username, 'x'),
      attempt('nobody', user.password),
      attempt(user.username, admin.password),
      attempt('__proto__', 'x'),
      attempt('', ''),
    ]);
    for (const { status, text } of responses) {
      expect(status).toBe(401);
      expect(text).toBe(responses[0]?.text);
    }
  });

  test.each<[string, unknown, string[]]>([
    ['no fields', {}, ['username', 'password']],
    ['wrong types', { username: 1, password: ['x'] }, ['username', 'password']],
    ['nulls', { username: null, password: null }, ['username', 'password']],
    ['one field', { username: 'x' }, ['password']],
  ])('%s: the response names every invalid field', async (_name, json, fields) => {
    const response = await service.send('POST /api/auth/jwt/login', { json });
    expect(response.status).toBe(400);
    expect(response.json.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
      fields.sort(),
    );
  });

  test.each<[string, string, string, number]>([
    ['broken JSON', 'application/json', '{"username":', 400],
    ['an array', 'application/json', '[]', 400],
    ['a form', 'application/x-www-form-urlencoded', 'username=a&password=b', 415],
    ['no body', 'application/json', '', 400],
  ])('%s is rejected', async (_name, contentType, body, expected) => {
    const { status } = await service.send('POST /api/auth/jwt/login', {
      headers: { 'content-type': contentType },
      body,
    });
    expect(status).toBe(expected);
  });
});

describe('access tokens', () => {
  test('/me shows whom the token is about, and its claims', async () => {
    const { accessToken } = await login();
    const { status, json } = await get('me', accessToken);
    expect(status).toBe(200);
    expect(json).toEqual({
      username: user.username,
      role: 'user',
      name: expect.any(String),
      email: expect.stringContaining('@'),
      claims: Object.entries(decodeJwt(accessToken)).map(([type, value]) => ({
        type,
        value: String(value),
      })),
    });
  });

  test('/admin is for admins; a user gets 403 in the error shape', async () => {
    const { accessToken } = await login(admin);
    expect((await get('admin', accessToken)).json).toEqual({
      message: expect.any(String),
      username: admin.username,
    });
    const rejected = await get('admin', (await login()).accessToken);
    expect(rejected.status).toBe(403);
    expect(Object.keys(rejected.json).sort()).toEqual(['error', 'message', 'status']);
    expect(rejected.headers['www-authenticate']).toContain('error="insufficient_scope"');
  });

  test('a token is valid until one second before its expiry; then the error names the time', async () => {
    const { accessToken } = await login();
    nowMs = (startSeconds + 899) * 1000;
    expect((await get('me', accessToken)).status).toBe(200);
    nowMs = (startSeconds + 900) * 1000 - 1;
    expect((await get('me', accessToken)).status).toBe(200);
    nowMs = (startSeconds + 900) * 1000;
    const expired = await get('me', accessToken);
    expect(expired.status).toBe(401);
    const reason = "The token expired at '2026-01-01T12:15:00.000Z'";
    expect(expired.headers['www-authenticate']).toBe(invalidToken(reason));
    expect(expired.json.message).toBe(`${reason}.`);
  });

  test('a token is invalid before its nbf', async () => {
    const { accessToken } = await login();
    nowMs = startSeconds * 1000 - 1;
    const early = await get('me', accessToken);
    expect(early.status).toBe(401);
    expect(early.headers['www-authenticate']).toBe(
      invalidToken("The token is not valid before '2026-01-01T12:00:00.000Z'"),
    );
  });

  test('/expired returns a correctly signed token that expired an hour ago', async () => {
    const { status, headers, json } = await service.send('GET /api/auth/jwt/expired');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(json).toEqual({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiredAt: '2026-01-01T11:00:00.000Z',
      message: expect.any(String),
    });
    const rejected = await get('me', json.accessToken);
    expect(rejected.status).toBe(401);
    expect(rejected.headers['www-authenticate']).toBe(
      invalidToken("The token expired at '2026-01-01T11:00:00.000Z'"),
    );
    nowMs -= 3600_000 + 1000;
    expect((await get('me', json.accessToken)).status).toBe(200);
  });

  test('a token whose payload was edited is rejected for its signature', async () => {
    const { accessToken } = await login();
    const [header, , signature] = accessToken.split('.');
    const claims = { ...decodeJwt(accessToken), [claimNames.role]: 'admin' };
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const { status, headers } = await get('admin', `${header}.${payload}.${signature}`);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
    expect(headers['www-authenticate']).toContain('signature is invalid');
  });

  test('alg none is rejected by name', async () => {
    const { accessToken } = await login();
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    const { status, headers } = await get('me', `${header}.${accessToken.split('.')[1]}.`);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain("The token's algorithm is 'none'");
  });

  test('the service ignores keys and algorithms that a token header suggests', async () => {
    const alg = 'a" \\\r\nX-Evil: 1 é';
    const header = Buffer.from(JSON.stringify({ alg })).toString('base64url');
    const { status, headers } = await get('me', `${header}.e30.`);
    expect(status).toBe(401);
    expect(headers).not.toHaveProperty('x-evil');
    expect(headers['www-authenticate']).toMatch(/error_description="[^"\\]*"$/);
  });

  test('a token of a user that is no longer configured is rejected', async () => {
    const { accessToken } = await login();
    const claims = { ...decodeJwt(accessToken), [claimNames.nameIdentifier]: 'gone' };
    const head = [{ alg: 'HS256' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = createHmac('sha256', jwtKey).update(head).digest('base64url');
    const { status, json } = await get('me', `${head}.${signature}`);
    expect(status).toBe(401);
    expect(json.message).toContain('does not exist');
  });

  test('a token issued under another base URL is rejected, and the message names both URLs', async () => {
    const { accessToken } = await login();
    const { status, headers } = await service.send('GET /api/auth/jwt/me', {
      headers: { authorization: `Bearer ${accessToken}`, host: 'api.example.org' },
    });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(
      invalidToken(
        `The token was issued by '${service.url}', but this is 'http://api.example.org'`,
      ),
    );
  });

  test('a token of another service is rejected, unless both services share a key', async () => {
    const options = { now: () => nowMs, baseUrl: 'http://shared.example' };
    const [one, two, three] = await Promise.all([
      createService({ ...options, jwtKey }),
      createService({ ...options, jwtKey }),
      createService(options),
    ]);
    try {
      const { json } = await send(one.url, 'POST /api/auth/jwt/login', {
        json: { username: user.username, password: user.password },
      });
      const headers = { authorization: `Bearer ${json.accessToken}` };
      expect((await send(two.url, 'GET /api/auth/jwt/me', { headers })).status).toBe(200);
      const foreign = await send(three.url, 'GET /api/auth/jwt/me', { headers });
      expect(foreign.status).toBe(401);
      expect(foreign.headers['www-authenticate']).toContain('signature is invalid');
    } finally {
      await Promise.all([one.close(), two.close(), three.close()]);
    }
  });

  test.each([
    [undefined, 'Bearer realm="Practice API"'],
    ['Bearer', 'Bearer realm="Practice API"'],
    ['Basic eDp5', 'Bearer realm="Practice API"'],
    ['Bearer demo-admin-token', /error="invalid_token".*not a JWT/],
  ])('Authorization %j gets the right challenge', async (authorization, challenge) => {
    for (const path of ['me', 'admin']) {
      const { status, headers } = await service.send(`GET /api/auth/jwt/${path}`, {
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(status).toBe(401);
      if (typeof challenge === 'string') expect(headers['www-authenticate']).toBe(challenge);
      else expect(headers['www-authenticate']).toMatch(challenge);
    }
  });
});

describe('refresh tokens', () => {
  test('each returns a new pair in the login shape', async () => {
    const first = await login();
    nowMs += 60_000;
    const { status, headers, json } = await refresh(first.refreshToken);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(json).toEqual({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 900,
      refreshToken: expect.stringMatching(/^jrt_[0-9a-f]{40}$/),
      user: { username: user.username, role: 'user', name: expect.any(String) },
    });
    expect(json.refreshToken).not.toBe(first.refreshToken);
    expect(decodeJwt(json.accessToken).nbf).toBe(startSeconds + 60);
    expect((await get('me', json.accessToken)).status).toBe(200);
    expect((await refresh(json.refreshToken)).status).toBe(200);
  });

  test('a second use is rejected and revokes all tokens of that login, and of no other', async () => {
    const [mine, other] = [await login(), await login()];
    const second = (await refresh(mine.refreshToken)).json.refreshToken;
    const third = (await refresh(second)).json.refreshToken;
    const reused = await refresh(mine.refreshToken);
    expect(reused.status).toBe(401);
    expect(reused.headers['www-authenticate']).toContain('error="invalid_token"');
    expect(reused.json.message).toContain('already used');
    const newest = await refresh(third);
    expect(newest.status).toBe(401);
    expect(newest.json.message).toContain('revoked by a second use');
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  test('of many concurrent uses exactly one succeeds, and its new token is revoked', async () => {
    const [mine, other] = [await login(), await login()];
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => refresh(mine.refreshToken)),
    );
    const won = responses.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(49);
    expect((await refresh(won[0]?.json.refreshToken)).status).toBe(401);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  test('a changed token is rejected, and changes nothing', async () => {
    const { refreshToken } = await login();
    for (const index of [4, 19, 20, 27, 28, 43]) {
      const digit = refreshToken[index] === '0' ? '1' : '0';
      const changed = refreshToken.slice(0, index) + digit + refreshToken.slice(index + 1);
      const { status, json } = await refresh(changed);
      expect(status).toBe(401);
      expect(json.message).toContain('not a refresh token of this service');
    }
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test('a token unused for seven days has expired', async () => {
    const { refreshToken } = await login();
    nowMs = startMs + 7 * 24 * 3600_000 - 1;
    const { refreshToken: next } = (await refresh(refreshToken)).json;
    nowMs += 7 * 24 * 3600_000;
    const { status, json } = await refresh(next);
    expect(status).toBe(401);
    expect(json.message).toContain('has expired');
  });

  test('an access token is no refresh token, nor vice versa', async () => {
    const { accessToken, refreshToken } = await login();
    expect((await refresh(accessToken)).status).toBe(401);
    expect((await get('me', refreshToken)).status).toBe(401);
  });

  test.each([{}, { refreshToken: 1 }, { refreshToken: null }])('%j is 400', async (json) => {
    for (const path of ['refresh', 'logout']) {
      const { status } = await service.send(`POST /api/auth/jwt/${path}`, { json });
      expect(status).toBe(400);
    }
  });
});

describe('logout', () => {
  function logout(refreshToken: string) {
    return service.send('POST /api/auth/jwt/logout', { json: { refreshToken } });
  }

  test('revokes every refresh token of that login and no other', async () => {
    const [mine, other] = [await login(), await login()];
    const { refreshToken } = (await refresh(mine.refreshToken)).json;
    const { status, headers, text } = await logout(refreshToken);
    expect(status).toBe(204);
    expect(text).toBe('');
    expect(headers).not.toHaveProperty('content-type');
    const rejected = await refresh(refreshToken);
    expect(rejected.status).toBe(401);
    expect(rejected.json.message).toContain("revoked by logout at '2026-01-01T12:00:00.789Z'");
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  test('can be repeated, and accepts a used token of the login too', async () => {
    const { refreshToken } = await login();
    const { refreshToken: next } = (await refresh(refreshToken)).json;
    expect((await logout(refreshToken)).status).toBe(204);
    expect((await logout(refreshToken)).status).toBe(204);
    expect((await refresh(next)).status).toBe(401);
  });

  test('leaves the access token valid until its expiry', async () => {
    const { accessToken, refreshToken } = await login();
    await logout(refreshToken);
    expect((await get('me', accessToken)).status).toBe(200);
  });

  test('rejects a string that is no refresh token of the service', async () => {
    const { status, json } = await logout(`jrt_${'0'.repeat(40)}`);
    expect(status).toBe(401);
    expect(json.message).toContain('not a refresh token of this service');
  });
});
