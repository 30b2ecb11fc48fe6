import { expect, test } from 'vitest';
import { issuerAt, redirectUri, responseIn, usualRequest } from '../support/oidc.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

const mary = {
  username: 'mary',
  password: 'of-somerville',
  claims: { name: 'Mary', tenant: 't1' },
};

const put = (sandbox: string, json: unknown) =>
  send(`PUT /s/${sandbox}/api/sandbox/oidc`, { json });

function claimsIn(jwt: string) {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
}

test('settings are empty at first, and are returned as set', async () => {
  const { json: before } = await send('GET /s/set/api/sandbox/oidc');
  expect(before).toEqual({
    users: [],
    clients: [],
    scopes: [],
    unregisteredScopes: 'narrow',
    resources: [],
    fetches: { discovery: 0, jwks: 0 },
    misbehave: null,
    lifetimes: { code: 60, access: 3600, id: 3600, refresh: 1_209_600, session: 28_800 },
  });
  const client = { clientId: 'mine', redirectUris: ['https://mine.example/'] };
  const { status, json } = await put('set', {
    users: [mary],
    clients: [client],
    lifetimes: { id: 5 },
  });
  expect(status).toBe(200);
  expect(json).toEqual({
    ...before,
    users: [mary],
    clients: [client],
    lifetimes: { ...before.lifetimes, id: 5 },
  });
  expect((await put('set', json)).json).toEqual(json);
  await send('DELETE /s/set/api/sandbox');
  expect((await send('GET /s/set/api/sandbox/oidc')).json).toEqual(before);
});

test.each(['GET', 'PUT'])('no client may %s the settings of the shared sandbox', async (method) => {
  const { status, json } = await send(`${method} /api/sandbox/oidc`, {
    ...(method === 'PUT' && { json: {} }),
  });
  expect(status).toBe(403);
  expect(json.message).toContain('X-Sandbox');
});

test('a user of the sandbox logs in, with claims of any name', async () => {
  await put('people', { users: [mary, { username: 'ada', password: 'another' }] });
  const issuer = issuerAt(service, '/s/people');
  const { json } = await issuer.redeem(await issuer.code({ auto: 'mary' }));
  expect(claimsIn(json.id_token)).toMatchObject({ sub: 'mary', tenant: 't1' });
  const userinfo = (await issuer.get('userinfo', json.access_token)).json;
  expect(userinfo).toEqual({ sub: 'mary', name: 'Mary', preferred_username: 'mary', tenant: 't1' });
  const page = await issuer.authorize(usualRequest());
  expect(page.text).toContain('<code>of-somerville</code>');
  expect(page.text).toContain('<code>another</code>');
  expect(page.text).not.toContain('ada-secret');
  const others = await issuerAt(service, '').authorize(usualRequest({ auto: 'mary' }));
  expect(responseIn(others).get('error_description')).toContain('one of ada, grace, alan');
});

test('lifetimes follow the settings of the sandbox', async () => {
  const lifetimes = { code: 5, access: 100, id: 200, refresh: 300, session: 50 };
  await put('lives', { lifetimes });
  const issuer = issuerAt(service, '/s/lives');
  const scope = 'openid offline_access';
  const late = await issuer.code();
  const { json } = await issuer.redeem(await issuer.code({ scope }));
  expect(json.expires_in).toBe(100);
  const { iat, exp } = claimsIn(json.id_token);
  expect(exp - iat).toBe(200);
  const access = claimsIn(json.access_token);
  expect(access.exp - access.iat).toBe(100);
  await issuer.setClock(6);
  expect((await issuer.redeem(late)).json.error_description).toContain('expired');
  await issuer.setClock(101);
  expect((await issuer.get('userinfo', json.access_token)).status).toBe(401);
  await issuer.setClock(301);
  const refreshing = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  expect((await issuer.token(refreshing)).json.error).toBe('invalid_grant');
});

test('rotated keys stay for the lifetimes of the sandbox, and for tokens that were signed before they were set', async () => {
  const kids = async () => (await send('GET /s/kept-keys/oidc/jwks')).json.keys.length;
  // Real time passes while keys are generated: a difference of a minute is allowed.
  const issuer = issuerAt(service, '/s/kept-keys');
  await put('kept-keys', { lifetimes: { access: 1000, id: 2000 } });
  await issuer.redeem(await issuer.code());
  await send('POST /s/kept-keys/oidc/keys/rotate');
  await issuer.setClock(1900);
  expect(await kids()).toBe(6);
  await issuer.setClock(2100);
  expect(await kids()).toBe(3);
  await issuer.redeem(await issuer.code());
  await put('kept-keys', { lifetimes: { access: 1, id: 1 } });
  await send('POST /s/kept-keys/oidc/keys/rotate');
  await issuer.setClock(4000);
  expect(await kids()).toBe(6);
  await issuer.setClock(4300);
  expect(await kids()).toBe(3);
});

test('a client of the sandbox is known only there, and is public without a secret', async () => {
  const clients = [
    { clientId: 'mine', redirectUris: ['https://mine.example/cb'], accessToken: 'opaque' },
    { clientId: 'demo-web', clientSecret: 'another-secret', redirectUris: [redirectUri] },
    { clientId: 'robot', clientSecret: 'beep-beep-boop' },
  ];
  await put('clients', { clients });
  const issuer = issuerAt(service, '/s/clients');
  const mine = { client_id: 'mine', redirect_uri: 'https://mine.example/cb' };
  const code = await issuer.code(mine);
  const granted = await issuer.redeem(
    code,
    { client_id: 'mine', redirect_uri: mine.redirect_uri },
    {},
  );
  expect(granted.json.access_token).toMatch(/^oat_/);
  expect((await issuer.redeem(await issuer.code())).status).toBe(401);
  const robot = {
    grant_type: 'client_credentials',
    client_id: 'robot',
    client_secret: 'beep-beep-boop',
  };
  expect((await issuer.token(robot, {})).status).toBe(200);
  expect((await issuerAt(service, '').token(robot, {})).status).toBe(401);
});

const user = { username: 'u', password: 'p' };
const client = { clientId: 'c', redirectUris: ['https://c.example/'] };

test.each([
  ['an unknown member', { user: [] }, 'user'],
  ['users that are no list', { users: {} }, 'users'],
  ['a user without a password', { users: [{ username: 'u' }] }, 'users.0.password'],
  ['a user name with a space', { users: [{ ...user, username: 'a b' }] }, 'users.0.username'],
  ['deny', { users: [{ ...user, username: 'deny' }] }, 'users.0.username'],
  ['the same user twice', { users: [user, user] }, 'users.1.username'],
  ['a claim of the issuer', { users: [{ ...user, claims: { iss: 'x' } }] }, 'users.0.claims.iss'],
  [
    'a TOTP secret that is not base32',
    { users: [{ ...user, totpSecret: '!' }] },
    'users.0.totpSecret',
  ],
  ['too many users', { users: Array(51).fill(user) }, 'users'],
  ['a lifetime of 0', { lifetimes: { code: 0 } }, 'lifetimes.code'],
  ['a lifetime as a string', { lifetimes: { id: '60' } }, 'lifetimes.id'],
  ['a lifetime beyond a year', { lifetimes: { refresh: 31_536_001 } }, 'lifetimes.refresh'],
  ['an unknown lifetime', { lifetimes: { token: 1 } }, 'lifetimes.token'],
  ['a client without redirect URIs', { clients: [{ clientId: 'c' }] }, 'clients.0.redirectUris'],
  ['the same client twice', { clients: [client, client] }, 'clients.1.clientId'],
  [
    'a redirect URI that runs a script',
    { clients: [{ ...client, redirectUris: ['javascript:1'] }] },
    'clients.0',
  ],
  ['an empty secret', { clients: [{ ...client, clientSecret: '' }] }, 'clients.0.clientSecret'],
  [
    'a tab in a secret',
    { clients: [{ ...client, clientSecret: 'a\tb' }] },
    'clients.0.clientSecret',
  ],
  ['a letter beyond ASCII', { clients: [{ ...client, clientId: 'é' }] }, 'clients.0.clientId'],
  ['an empty client id', { clients: [{ ...client, clientId: '' }] }, 'clients.0.clientId'],
  [
    'an id that is too long',
    { clients: [{ ...client, clientId: 'c'.repeat(101) }] },
    'clients.0.clientId',
  ],
  ['a scope with a space', { scopes: ['a b'] }, 'scopes.0'],
  ['a scope with a quote', { scopes: ['a"b'] }, 'scopes.0'],
  ['an empty scope', { scopes: [''] }, 'scopes.0'],
  ['a scope twice', { scopes: ['a', 'b', 'a'] }, 'scopes.2'],
  ['too many scopes', { scopes: Array.from({ length: 51 }, (_, i) => `s${i}`) }, 'scopes'],
  ['scopes as a string', { scopes: 'a b' }, 'scopes'],
  ['a resource with a space', { resources: ['https://a.example/a b'] }, 'resources.0'],
  ['a resource twice', { resources: ['urn:a', 'urn:a'] }, 'resources.1'],
  [
    'too many resources',
    { resources: Array.from({ length: 21 }, (_, i) => `urn:${i}`) },
    'resources',
  ],
  [
    'an audience that is no resource',
    { clients: [{ ...client, audience: 'urn:a' }] },
    'clients.0.audience',
  ],
  [
    'a reserved claim of a client',
    { clients: [{ ...client, claims: { aud: 'x' } }] },
    'clients.0.claims.aud',
  ],
  ['active', { clients: [{ ...client, claims: { active: false } }] }, 'clients.0.claims.active'],
  [
    'a reserved access claim',
    { users: [{ ...user, accessClaims: { scope: 'x' } }] },
    'users.0.accessClaims.scope',
  ],
  [
    'long access claims',
    { users: [{ ...user, accessClaims: { a: 'x'.repeat(2048) } }] },
    'users.0.accessClaims',
  ],
  ['access claims as a list', { users: [{ ...user, accessClaims: [] }] }, 'users.0.accessClaims'],
  [
    'claimsInIdToken as a string',
    { clients: [{ ...client, claimsInIdToken: 'yes' }] },
    'clients.0.claimsInIdToken',
  ],
  [
    'plain HTTP for a public client',
    { clients: [{ ...client, redirectUris: ['http://client.docker:5050/cb'] }] },
    'clients.0',
  ],
  [
    'a host with an asterisk',
    { clients: [{ ...client, redirectUris: ['https://*.example/'] }] },
    'clients.0',
  ],
  ['a max-age as a string', { jwksMaxAge: '60' }, 'jwksMaxAge'],
  ['a max-age below 0', { discoveryMaxAge: -1 }, 'discoveryMaxAge'],
  ['a misbehaviour that is no string', { misbehave: 1 }, 'misbehave'],
  [
    'settings that are too large',
    {
      users: Array(3)
        .fill(0)
        .map((_, i) => ({
          username: `u${i}`,
          password: 'p',
          claims: { long: 'x'.repeat(30_000) },
        })),
    },
    'body',
  ],
])('%s is rejected by name', async (_name, settings, field) => {
  const { status, json } = await put('refused', settings);
  expect(status).toBe(400);
  expect(json.errors.map((each: { field: string }) => each.field)).toContain(field);
});

test('settings just below the limits are accepted', async () => {
  const settings = {
    users: Array.from({ length: 50 }, (_, i) => ({ username: `u${i}`, password: 'p'.repeat(200) })),
    scopes: Array.from({ length: 50 }, (_, i) => `${i}${'s'.repeat(98)}`),
    resources: Array.from({ length: 20 }, (_, i) => `https://${i}.example/${'r'.repeat(470)}`),
    clients: Array.from({ length: 20 }, (_, i) => ({
      clientId: `${i}${'c'.repeat(98)}`,
      clientSecret: 's'.repeat(200),
      claims: { long: 'x'.repeat(500) },
    })),
  };
  const { status, json } = await put('full', settings);
  expect(status, json.message).toBe(200);
});

test('an unknown misbehaviour is rejected, and the response lists the known ones', async () => {
  const { status, json } = await put('refused', { misbehave: 'wrong-everything' });
  expect(status).toBe(400);
  expect(json.message).toContain('wrong-iss, neighbour-iss');
  expect(json.message).toContain('failing');
});

test('a client that does not form-url-encode its Basic credentials gets a hint', async () => {
  const clientSecret = 'a+secret/of=mine%41';
  await put('unencoded', { clients: [{ clientId: 'mine', clientSecret }] });
  const ask = (credentials: string) =>
    send('POST /s/unencoded/oidc/token', {
      headers: {
        Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
  const { status, json } = await ask(`mine:${clientSecret}`);
  expect(status).toBe(401);
  expect(json).toMatchObject({ error: 'invalid_client' });
  expect(json.message).toContain('were not form-url-encoded before base64');
  expect((await ask(`mine:b${clientSecret}`)).json.message).toContain('is wrong');
  expect((await ask(`mine:${encodeURIComponent(clientSecret)}`)).status).toBe(200);
});
