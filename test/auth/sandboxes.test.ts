import { beforeAll, expect, test } from 'vitest';
import { authenticateByDigest } from '../support/authenticate-by-digest.js';
import { basicHeader, demoCredentials } from '../support/demo-credentials.js';
import { useService } from '../support/service.js';

const service = useService();
let credentials: Awaited<ReturnType<typeof demoCredentials>>;
beforeAll(async () => {
  credentials = await demoCredentials(service);
});

function inSandbox(name: string, headers: Record<string, string> = {}) {
  return { headers: { 'X-Sandbox': name, ...headers } };
}

async function setClock(name: string, offsetSeconds: number): Promise<void> {
  const { status } = await service.send('PUT /api/sandbox/clock', {
    ...inSandbox(name),
    json: { offsetSeconds },
  });
  expect(status).toBeLessThan(300);
}

async function login(name: string) {
  const { json } = await service.send('POST /api/auth/jwt/login', {
    ...inSandbox(name),
    json: credentials.jwt[0],
  });
  return json as { accessToken: string; refreshToken: string };
}

async function newOAuthToken(name: string): Promise<string> {
  const { clientId, clientSecret } = credentials.oauth;
  const { json } = await service.send('POST /api/auth/oauth/token', {
    ...inSandbox(name, {
      Authorization: basicHeader(clientId, clientSecret),
      'Content-Type': 'application/x-www-form-urlencoded',
    }),
    body: 'grant_type=client_credentials',
  });
  return json.access_token;
}

function refresh(name: string, refreshToken: string) {
  return service.send('POST /api/auth/jwt/refresh', { ...inSandbox(name), json: { refreshToken } });
}

test('a Digest nonce of one sandbox is unknown in another', async () => {
  const uri = '/api/auth/digest';
  const { headers } = await service.send(`GET ${uri}`, inSandbox('nonce-a'));
  const authorization = authenticateByDigest(headers['www-authenticate'] ?? '', {
    ...credentials.digest,
    uri,
  });
  const other = await service.send(`GET ${uri}`, inSandbox('nonce-b', { authorization }));
  expect(other.status).toBe(401);
  expect(other.json.message).toContain('not issued in this sandbox');
  expect((await service.send(`GET ${uri}`, inSandbox('nonce-a', { authorization }))).status).toBe(
    200,
  );
});

test('logins, OAuth tokens and CSRF tokens of one sandbox are unknown in another', async () => {
  const { refreshToken } = await login('state-a');
  const rejected = await refresh('state-b', refreshToken);
  expect(rejected.status).toBe(401);
  expect(rejected.json.message).toContain('belongs to another sandbox');
  expect((await refresh('state-a', refreshToken)).status).toBe(200);

  const authorization = `Bearer ${await newOAuthToken('state-a')}`;
  const use = (name: string) =>
    service.send('GET /api/auth/oauth/protected', inSandbox(name, { authorization }));
  const unknown = await use('state-b');
  expect(unknown.status).toBe(401);
  expect(unknown.json.message).toContain('in this sandbox');
  expect((await use('state-a')).status).toBe(200);

  const token = (await service.send('GET /api/auth/csrf/token', inSandbox('state-a'))).json
    .csrfToken;
  const submit = (name: string) =>
    service.send(
      'POST /api/auth/csrf/submit',
      inSandbox(name, { Cookie: `XSRF-TOKEN=${token}`, 'X-CSRF-Token': token }),
    );
  const foreign = await submit('state-b');
  expect(foreign.status).toBe(403);
  expect(foreign.json.message).toContain('in this sandbox');
  expect((await submit('state-a')).status).toBe(200);
});

test('moving the clock of a sandbox makes its credentials expire, and no others', async () => {
  const name = 'clock';
  const { accessToken, refreshToken } = await login(name);
  const oauthToken = await newOAuthToken(name);
  const other = await login('clock-other');
  const me = (sandbox: string, token: string) =>
    service.send('GET /api/auth/jwt/me', inSandbox(sandbox, { authorization: `Bearer ${token}` }));

  await setClock(name, 901);
  const expired = await me(name, accessToken);
  expect(expired.status).toBe(401);
  expect(expired.json.message).toMatch(/^The token expired at '/);
  expect((await me('clock-other', other.accessToken)).status).toBe(200);

  await setClock(name, 3601);
  const used = await service.send(
    'GET /api/auth/oauth/protected',
    inSandbox(name, { authorization: `Bearer ${oauthToken}` }),
  );
  expect(used.json.message).toMatch(/^The token expired at '/);

  await setClock(name, 7 * 24 * 3600 + 1);
  expect((await refresh(name, refreshToken)).json.message).toContain('has expired');
});

test('an OAuth token issued before the clock was set back is inactive, as its nbf says', async () => {
  const name = 'set-back';
  await setClock(name, 7200);
  const token = await newOAuthToken(name);
  await setClock(name, 0);
  const used = await service.send(
    'GET /api/auth/oauth/protected',
    inSandbox(name, { authorization: `Bearer ${token}` }),
  );
  expect(used.status).toBe(401);
  expect(used.json.message).toMatch(/^The token is not valid before '/);
  const { clientId, clientSecret } = credentials.oauth;
  const { json } = await service.send('POST /api/auth/oauth/introspect', {
    ...inSandbox(name, {
      Authorization: basicHeader(clientId, clientSecret),
      'Content-Type': 'application/x-www-form-urlencoded',
    }),
    body: `token=${token}`,
  });
  expect(json).toEqual({ active: false });
});

test('a CSRF token issued before the clock was set back expires within its hour', async () => {
  const name = 'csrf-set-back';
  await setClock(name, 7200);
  const token = (await service.send('GET /api/auth/csrf/token', inSandbox(name))).json.csrfToken;
  const submit = () =>
    service.send(
      'POST /api/auth/csrf/submit',
      inSandbox(name, { Cookie: `XSRF-TOKEN=${token}`, 'X-CSRF-Token': token }),
    );
  expect((await submit()).status).toBe(200);
  await setClock(name, 0);
  const early = await submit();
  expect(early.status).toBe(403);
  expect(early.json.message).toContain('was set back');
});

test('no clock of a sandbox makes an endpoint fail', async () => {
  for (const offsetSeconds of [-316_224_000, -1e5, 0.5, 1e8, 316_224_000]) {
    const name = 'far';
    await setClock(name, offsetSeconds);
    for (const target of [
      'GET /api/auth/digest',
      'GET /api/auth/jwt/expired',
      'GET /api/auth/csrf/token',
    ]) {
      const { status } = await service.send(target, inSandbox(name));
      expect(status, `${target} at ${offsetSeconds}`).toBeLessThan(500);
    }
    const { accessToken, refreshToken } = await login(name);
    const authorization = `Bearer ${accessToken}`;
    expect(
      (await service.send('GET /api/auth/jwt/me', inSandbox(name, { authorization }))).status,
    ).toBe(200);
    expect((await refresh(name, refreshToken)).status).toBe(200);
    expect(await newOAuthToken(name)).toMatch(/^oat_/);
  }
});
