import { expect, test } from 'vitest';
import { createService } from '../support/create-service.js';
import { basicHeader, demoCredentials } from '../support/demo-credentials.js';
import { useService } from '../support/service.js';

const service = useService();
const changed = useService({
  basicUser: 'Jäs:ön:x',
  digestUser: 'digest:user',
  apiKey: 'another-key',
  bearerTokens: 'a,b,c',
  jwtAdmin: 'root:toor',
  jwtUser: 'me:mine',
  oauthClient: 'id:secret',
  hmacSecret: 'hush',
  sigv4Key: 'id:hush',
  jwtKey: 'k'.repeat(32),
  nonceKey: 'n'.repeat(32),
});

test('the index lists the demo credentials, and no signing key', async () => {
  const { status, json } = await service.send('GET /api/auth');
  expect(status).toBe(200);
  expect(Object.keys(json)).toEqual(['credentials', 'endpoints']);
  expect(json.credentials).toEqual({
    basic: { username: 'demo', password: 'basic-secret' },
    digest: { username: 'demo', password: 'digest-secret' },
    apiKey: 'demo-api-key',
    bearer: {
      admin: 'demo-admin-token',
      user: 'demo-user-token',
      readOnly: 'demo-read-only-token',
    },
    jwt: [
      { username: 'admin', password: 'admin-secret', role: 'admin' },
      { username: 'user', password: 'user-secret', role: 'user' },
    ],
    oauth: {
      clientId: 'demo-client',
      clientSecret: 'demo-client-secret',
      scopes: ['read', 'write', 'profile', 'email'],
    },
    hmac: { secret: 'demo-hmac-secret' },
    sigv4: { accessKeyId: 'AKIDPRACTICE', secretAccessKey: 'demo-sigv4-secret' },
    // test/oidc/issuer.test.ts checks the content.
    oidc: expect.objectContaining({ issuer: `${service.url}/oidc` }),
    llm: {
      openai: 'sk-practice-openai',
      anthropic: 'sk-practice-anthropic',
      gemini: 'sk-practice-gemini',
      quota: 'sk-practice-quota',
    },
    payments: {
      secret: 'sk_test_practice',
      publishable: 'pk_test_practice',
      ofSandbox: 'sk_test_{sandbox}',
      ofAccount: 'sk_test_{account key}_{sandbox}',
    },
    session: expect.anything(),
    soap: { username: 'ada', password: 'ada-secret' },
    signature: expect.anything(),
  });
});

test('every listed endpoint exists, rejects or serves, supports its method, and forbids caching', async () => {
  const { endpoints } = (await service.send('GET /api/auth')).json;
  expect(endpoints.length).toBeGreaterThan(20);
  const anyMethod = endpoints
    .filter(({ method }: { method: string }) => method === 'ANY')
    .map(({ path }: { path: string }) => path);
  expect(anyMethod).toContain('/api/auth/digest');
  for (const { method: listed, path, summary } of endpoints) {
    const method = listed === 'ANY' ? 'DELETE' : listed;
    expect(summary.length).toBeGreaterThan(10);
    const { status, headers } = await service.send(`${method} ${path.replace(/[{}]/g, '')}`);
    expect(headers['cache-control'], `${method} ${path}`).toBe('no-store');
    const isHidden = path.includes('hidden');
    expect(isHidden ? [404] : [200, 400, 401, 403], `${method} ${path}`).toContain(status);
    const isPatched = endpoints.some(
      (each: { method: string; path: string }) => each.path === path && each.method === 'PATCH',
    );
    if (anyMethod.includes(path) || isPatched) continue;
    const other = await service.send(`PATCH ${path.replace(/[{}]/g, '')}`);
    expect(other.status, path).toBe(405);
    expect(other.headers.allow?.split(', ')).toContain(method);
  }
});

test.each([
  ['GET /api/auth/nothing', 404],
  ['GET /API/Auth/nothing', 404],
  ['PATCH /api/auth/basic', 401],
  ['PATCH /api/auth/hmac', 405],
  ['GET /api/auth/%zz', 400],
  ['GET /api/%61uth/basic', 401],
  ['GET /api/auth/basic?error=503', 503],
  [`GET /api/auth/basic/${'x'.repeat(3000)}/y`, 414],
  ['GET /.well-known/oauth-authorization-server', 200],
])('%s gets %i, which no cache stores', async (target, status) => {
  const response = await service.send(target);
  expect(response.status).toBe(status);
  expect(response.headers['cache-control']).toBe('no-store');
});

test('every 401 of the area carries a challenge (RFC 9110 section 15.5.2)', async () => {
  const { endpoints } = (await service.send('GET /api/auth')).json;
  const json = { username: 'x', password: 'x', refreshToken: 'x' };
  let rejected = 0;
  for (const { method, path } of endpoints) {
    const target = `${method} ${path.replace(/[{}]/g, '')}`;
    const { status, headers } = await service.send(target, method === 'POST' ? { json } : {});
    if (status !== 401) continue;
    rejected++;
    expect(headers['www-authenticate'], target).toMatch(/^[\w-]+ realm="Practice API"/);
  }
  expect(rejected).toBeGreaterThan(10);
});

test('configured credentials replace the demo ones', async () => {
  const credentials = await demoCredentials(changed);
  expect(credentials.basic).toEqual({ username: 'Jäs', password: 'ön:x' });
  expect(credentials.bearer).toEqual({ admin: 'a', user: 'b', readOnly: 'c' });
  expect(credentials.jwt).toMatchObject([{ username: 'root' }, { username: 'me' }]);
  const send = (authorization: string) =>
    changed.send('GET /api/auth/basic', { headers: { authorization } });
  expect((await send(basicHeader('Jäs', 'ön:x'))).status).toBe(200);
  expect((await send(basicHeader('demo', 'basic-secret'))).status).toBe(401);
  const { text } = await changed.send('GET /api/auth');
  expect(text).not.toContain('k'.repeat(32));
  expect(text).not.toContain('n'.repeat(32));
});

test('all unusable credentials are rejected at once, without being shown', async () => {
  const secret = 'tell-nobody';
  const starting = createService({
    basicUser: secret,
    apiKey: `${secret} ${secret}`,
    bearerTokens: `${secret},${secret},x`,
    hmacSecret: '',
    sigv4Key: secret,
    jwtKey: secret,
  });
  await expect(starting).rejects.toMatchObject({
    faults: [
      expect.stringMatching(/^basicUser must be a name, a colon/),
      expect.stringMatching(/^apiKey must be/),
      expect.stringMatching(/^bearerTokens must be/),
      expect.stringMatching(/^jwtKey must have at least 32 bytes/),
      expect.stringMatching(/^hmacSecret must not be empty/),
      expect.stringMatching(/^sigv4Key must be a key id/),
    ],
  });
  await expect(starting).rejects.not.toThrow(secret);
});

test('the two users that log in need different names', async () => {
  await expect(createService({ jwtAdmin: 'a:b', jwtUser: 'a:c' })).rejects.toThrow(
    'different names',
  );
});
