import { expect, test } from 'vitest';
import { asService, issuerAt } from '../support/oidc.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

test.each(['', '/s/discovered'])(
  '%s/oidc is an issuer, and both documents are equal',
  async (prefix) => {
    const { status, json } = await send(`GET ${prefix}/oidc/.well-known/openid-configuration`);
    expect(status).toBe(200);
    expect(json.issuer).toBe(`${service.url}${prefix}/oidc`);
    const other = await send(`GET /.well-known/oauth-authorization-server${prefix}/oidc`);
    expect(other.json).toEqual(json);
    for (const [name, value] of Object.entries(json)) {
      if (/_(?:endpoint|uri)$/.test(name)) expect(value).toMatch(`${json.issuer}/`);
    }
  },
);

test('each endpoint in the discovery document exists', async () => {
  const { json } = await send('GET /oidc/.well-known/openid-configuration');
  for (const [name, value] of Object.entries(json)) {
    if (!/_(?:endpoint|uri)$/.test(name)) continue;
    const { status } = await send(`GET ${new URL(String(value)).pathname}`);
    expect(status, name).not.toBe(404);
  }
});

test('the index lists the issuer, its clients and its users', async () => {
  const { oidc } = (await send('GET /s/listed/api/auth')).json.credentials;
  expect(oidc.issuer).toBe(`${service.url}/s/listed/oidc`);
  const kinds = oidc.clients.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(['web', 'spa', 'native', 'service', 'device']);
  expect(oidc.clients[1]).not.toHaveProperty('clientSecret');
  expect(oidc.users.map(({ username }: { username: string }) => username)).toEqual([
    'ada',
    'grace',
    'alan',
  ]);
  expect(oidc.users[2].totpSecret).toMatch(/^[A-Z2-7]{32}$/);
});

async function kids(prefix: string): Promise<string[]> {
  const { status, json } = await send(`GET ${prefix}/oidc/jwks`);
  expect(status).toBe(200);
  expect(JSON.stringify(json)).not.toContain('"d"');
  return json.keys.map(({ kid }: { kid: string }) => kid);
}

test('a sandbox has its own keys for every algorithm, and they stay the same', async () => {
  const [first, again] = await Promise.all([kids('/s/keys-a'), kids('/s/keys-a')]);
  expect(first).toEqual(again);
  expect(await kids('/s/keys-a')).toEqual(first);
  expect(await kids('/s/keys-b')).not.toContain(first?.[0]);
  const { json } = await send('GET /s/keys-a/oidc/jwks');
  const algorithms = json.keys.map(({ alg }: { alg: string }) => alg);
  expect(algorithms).toEqual(['RS256', 'ES256', 'EdDSA']);
});

test('rotation creates new keys, and the old ones stay until everything they signed has expired', async () => {
  const issuer = issuerAt(service, '/s/rotated');
  const { json } = await issuer.token({ grant_type: 'client_credentials' }, asService);
  const before = await kids('/s/rotated');
  const { status } = await send('POST /s/rotated/oidc/keys/rotate');
  expect(status).toBe(200);
  const after = await kids('/s/rotated');
  expect(after).toHaveLength(6);
  expect(after.slice(3)).toEqual(before);
  expect((await issuer.get('api/orders', json.access_token)).status).toBe(200);
  await issuer.setClock(3601);
  expect(await kids('/s/rotated')).toEqual(after.slice(0, 3));
});

test('the keys of the shared sandbox cannot be rotated', async () => {
  const { status, json } = await send('POST /oidc/keys/rotate');
  expect(status).toBe(403);
  expect(json.message).toContain('X-Sandbox');
});

test.each([
  ['', '/oidc/api', ['profile', 'orders']],
  ['', '/oidc/api/me', ['profile']],
  ['', '/oidc/api/orders', ['orders']],
  ['/s/res', '/oidc/api', ['profile', 'orders']],
  ['/s/res', '/oidc/api/me', ['profile']],
  ['/s/res', '/oidc/api/orders', ['orders']],
])('the metadata of %s%s has exactly that URL', async (prefix, address, scopes) => {
  const { json } = await send(`GET /.well-known/oauth-protected-resource${prefix}${address}`);
  expect(json).toMatchObject({
    resource: `${service.url}${prefix}${address}`,
    authorization_servers: [`${service.url}${prefix}/oidc`],
    scopes_supported: scopes,
  });
  const discovered = await send(`GET ${prefix}/oidc/.well-known/openid-configuration`);
  expect(discovered.json.protected_resources).toContain(json.resource);
});

test('a URL that is not protected has no metadata', async () => {
  for (const path of ['/oidc/api/you', '/oidc/api/me/x', '/oidc/userinfo']) {
    const { status } = await send(`GET /.well-known/oauth-protected-resource${path}`);
    expect(status, path).toBe(404);
  }
});

test.each(['me', 'orders'])('challenges of %s name its own metadata', async (name) => {
  const path = `/.well-known/oauth-protected-resource/s/res/oidc/api/${name}`;
  const { status, headers } = await send(`GET /s/res/oidc/api/${name}`);
  expect(status).toBe(401);
  expect(headers['www-authenticate']).toBe(
    `Bearer realm="Practice API", resource_metadata="${service.url}${path}", DPoP realm="Practice API", algs="ES256 EdDSA PS256 RS256", resource_metadata="${service.url}${path}"`,
  );
});

test('a planned failure of the token endpoint has the shape of an OAuth error', async () => {
  const rules = [
    { match: { path: '/oidc/token' }, sequence: [{ status: 503, shape: 'protocol' }] },
  ];
  const plan = await send('PUT /s/planned/api/sandbox/faults', { json: { rules } });
  expect(plan.status, plan.text).toBeLessThan(300);
  const issuer = issuerAt(service, '/s/planned');
  const response = await issuer.token({ grant_type: 'client_credentials' }, asService);
  expect(response.status).toBe(503);
  expect(response.json.error).toBe('temporarily_unavailable');
});
