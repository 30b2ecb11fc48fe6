import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { basicHeader } from '../support/demo-credentials.js';
import {
  asWeb,
  type Fields,
  issuerAt,
  redirectUri,
  responseIn,
  useIssuer,
  usualRequest,
} from '../support/oidc.js';

const issuer = useIssuer('registered');
const { service, prefix, issuerUrl, register } = issuer;

test('a client registers, reads, changes and deletes itself', async () => {
  const { status, headers, json } = await register({
    redirect_uris: ['https://app.example/cb'],
    client_name: 'My app',
  });
  expect(status).toBe(201);
  expect(headers['cache-control']).toBe('no-store');
  expect(json).toMatchObject({
    redirect_uris: ['https://app.example/cb'],
    client_name: 'My app',
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    client_secret_expires_at: 0,
    registration_client_uri: `${issuerUrl()}/register/${json.client_id}`,
  });
  const target = `${prefix}/oidc/register/${json.client_id}`;
  const own = { headers: { Authorization: `Bearer ${json.registration_access_token}` } };
  expect((await service.send(`GET ${target}`, own)).json).toEqual(json);
  const changed = await service.send(`PUT ${target}`, {
    ...own,
    json: { ...json, redirect_uris: ['https://app.example/other'] },
  });
  expect(changed.json.redirect_uris).toEqual(['https://app.example/other']);
  expect(changed.json.client_secret).toBe(json.client_secret);
  const stranger = { headers: { Authorization: 'Bearer other' } };
  expect((await service.send(`GET ${target}`, stranger)).status).toBe(401);
  expect((await service.send(`DELETE ${target}`, own)).status).toBe(204);
  expect((await service.send(`GET ${target}`, own)).status).toBe(401);
});

test.each<[name: string, metadata: object, error: string]>([
  ['no redirect URI', {}, 'invalid_redirect_uri'],
  ['a fragment', { redirect_uris: ['https://app.example/#x'] }, 'invalid_redirect_uri'],
  [
    'plain HTTP elsewhere for a public client',
    { redirect_uris: ['http://app.example/cb'], token_endpoint_auth_method: 'none' },
    'invalid_redirect_uri',
  ],
  ['a host with an asterisk', { redirect_uris: ['https://*.example/cb'] }, 'invalid_redirect_uri'],
  [
    'an asterisk in a logout redirect',
    { redirect_uris: ['https://a.example/'], post_logout_redirect_uris: ['https://*.example/'] },
    'invalid_client_metadata',
  ],
  ['a port that is no number', { redirect_uris: ['http://a.example:x/'] }, 'invalid_redirect_uri'],
  ['a script', { redirect_uris: ['javascript:alert(1)//'] }, 'invalid_redirect_uri'],
  [
    'a host with a semicolon',
    { redirect_uris: ['https://a;script-src/cb'] },
    'invalid_redirect_uri',
  ],
  ['a host with a comma', { redirect_uris: ['https://a,b/cb'] }, 'invalid_redirect_uri'],
  ['an escaped semicolon', { redirect_uris: ['https://a%3Bb/cb'] }, 'invalid_redirect_uri'],
  [
    'an application host with a semicolon',
    { redirect_uris: ['com.a://b;c/cb'] },
    'invalid_redirect_uri',
  ],
  ['a port over 65535', { redirect_uris: ['https://a.example:65536/'] }, 'invalid_redirect_uri'],
  [
    'a host with a semicolon in a logout redirect',
    { redirect_uris: ['https://a.example/'], post_logout_redirect_uris: ['https://a;b/'] },
    'invalid_client_metadata',
  ],
  [
    'a front-channel host with a semicolon',
    { redirect_uris: ['https://a.example/'], frontchannel_logout_uri: 'https://a;b/' },
    'invalid_client_metadata',
  ],
  [
    'a logo at a host with a semicolon',
    { redirect_uris: ['https://a.example/'], logo_uri: 'https://a;b/' },
    'invalid_client_metadata',
  ],
  ['a relative URL', { redirect_uris: ['/cb'] }, 'invalid_redirect_uri'],
  ['a number', { redirect_uris: [1] }, 'invalid_redirect_uri'],
  [
    'an unknown method',
    { redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'mtls' },
    'invalid_client_metadata',
  ],
  [
    'no keys',
    { redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'private_key_jwt' },
    'invalid_client_metadata',
  ],
  [
    'a private key',
    { redirect_uris: ['https://a.example/'], jwks: { keys: [{ kty: 'OKP', d: 'x' }] } },
    'invalid_client_metadata',
  ],
  ['only a refresh token', { grant_types: ['refresh_token'] }, 'invalid_client_metadata'],
  [
    'a public client with client credentials',
    { grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' },
    'invalid_client_metadata',
  ],
])('%s is rejected', async (_name, metadata, error) => {
  const { status, json } = await register(metadata);
  expect(status).toBe(400);
  expect(json.error).toBe(error);
});

const aboutPeople = {
  application_type: 'native',
  scope: 'openid profile api.read',
  contacts: ['ada@example.com', 'grace@example.com'],
  software_id: '4NRB1-0XZABZI9E6-5SM3R',
  software_version: '2.0.1-rc.1',
  client_name: 'My app',
  'client_name#de': 'Meine App',
  'client_name#ja-Jpan-JP': 'クライアント名',
  client_uri: 'https://app.example/',
  'tos_uri#fr': 'https://app.example/fr/tos',
  logo_uri: 'https://app.example/logo.png',
  policy_uri: 'https://app.example/policy',
  tos_uri: 'https://app.example/tos',
  jwks_uri: 'https://app.example/jwks',
};

test('all metadata of RFC 7591 section 2 is returned as registered, and stays unchanged', async () => {
  const metadata = {
    ...aboutPeople,
    redirect_uris: ['http://localhost/cb'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_post',
  };
  const { status, json } = await register({
    ...metadata,
    unknown_member: 'x',
    'client_id#de': 'x',
  });
  expect(status, JSON.stringify(json)).toBe(201);
  expect(json).toMatchObject(metadata);
  expect(json).not.toHaveProperty('unknown_member');
  expect(json).not.toHaveProperty('client_id#de');
  const target = `${prefix}/oidc/register/${json.client_id}`;
  const own = { headers: { Authorization: `Bearer ${json.registration_access_token}` } };
  expect((await service.send(`GET ${target}`, own)).json).toEqual(json);
  const { contacts: _, ...without } = metadata;
  const changed = await service.send(`PUT ${target}`, {
    ...own,
    json: { ...without, application_type: 'web' },
  });
  expect(changed.json).toMatchObject({ application_type: 'web', scope: metadata.scope });
  expect(changed.json).not.toHaveProperty('contacts');
});

test.each<[name: string, metadata: object, says: string]>([
  ['an unknown application_type', { application_type: 'mobile' }, 'application_type'],
  ['a scope as a list', { scope: ['openid'] }, 'scope'],
  ['a scope with two spaces', { scope: 'a  b' }, 'scope'],
  ['a scope with a quote', { scope: 'a"b' }, 'scope'],
  ['an empty scope', { scope: '' }, 'scope'],
  ['a long scope', { scope: 'a'.repeat(1001) }, 'scope'],
  ['contacts as a string', { contacts: 'ada@example.com' }, 'contacts'],
  ['a contact that is a number', { contacts: [1] }, 'contacts.0'],
  ['many contacts', { contacts: Array(11).fill('a@example.com') }, 'contacts'],
  ['a software_id that is a number', { software_id: 1 }, 'software_id'],
  ['a long software_version', { software_version: 'x'.repeat(201) }, 'software_version'],
  ['a line feed', { software_version: 'a\nb' }, 'software_version'],
  ['a localized name that is a number', { 'client_name#de': 1 }, 'client_name#de'],
  ['a long localized name', { 'client_name#de': 'x'.repeat(501) }, 'client_name#de'],
  ['a localized script URL', { 'tos_uri#de': 'javascript:alert(1)' }, 'tos_uri#de'],
  [
    'many localized names',
    Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`client_name#x${i}`, 'x'])),
    'At most 20',
  ],
  ['a jwks_uri that is no URL', { jwks_uri: 'jwks' }, 'jwks_uri'],
  [
    'jwks and jwks_uri',
    { jwks_uri: 'https://a.example/', jwks: { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }] } },
    'jwks_uri',
  ],
  [
    'keys that the service would have to fetch',
    { jwks_uri: 'https://a.example/', token_endpoint_auth_method: 'private_key_jwt' },
    'fetches no jwks_uri',
  ],
])('metadata with %s is rejected', async (_name, metadata, says) => {
  const { status, json } = await register({ redirect_uris: ['https://a.example/cb'], ...metadata });
  expect(status).toBe(400);
  expect(json.error).toBe('invalid_client_metadata');
  expect(json.message).toContain(says);
});

test('a client gets at most the scope that it registered', async () => {
  const { json: client } = await register({
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'client_credentials'],
    scope: 'openid orders',
  });
  const headers = { Authorization: basicHeader(client.client_id, client.client_secret) };
  const code = await issuer.code({ client_id: client.client_id, scope: 'openid profile orders' });
  expect((await issuer.redeem(code, {}, headers)).json.scope).toBe('openid orders');
  const itself = await issuer.token({ grant_type: 'client_credentials' }, headers);
  expect(itself.json.scope).toBe('orders');
  const more = { grant_type: 'client_credentials', scope: 'profile' };
  expect((await issuer.token(more, headers)).json.error).toBe('invalid_scope');
});

test('a client that registered no known scope gets none', async () => {
  const device = 'urn:ietf:params:oauth:grant-type:device_code';
  const { json: client } = await register({
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'client_credentials', device],
    scope: 'mcp:tools',
  });
  const headers = { Authorization: basicHeader(client.client_id, client.client_secret) };
  const request = usualRequest({ client_id: client.client_id, auto: 'ada' });
  const rejected = [
    Object.fromEntries(responseIn(await issuer.authorize(request))),
    (await issuer.token({ grant_type: 'client_credentials' }, headers)).json,
    (await issuer.post('device_authorization', {}, headers)).json,
  ];
  for (const { error, error_description: words } of rejected) {
    expect(error).toBe('invalid_scope');
    expect(words).toContain('the scope that this client registered');
  }
});

test('a sandbox has at most a hundred registered clients', async () => {
  const json = { redirect_uris: ['https://app.example/cb'] };
  const target = 'POST /s/crowded/oidc/register';
  const made = await Promise.all(Array.from({ length: 100 }, () => service.send(target, { json })));
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
  const { status, json: rejected } = await service.send(target, { json });
  expect(status).toBe(409);
  expect(rejected.message).toContain('100 registered clients');
});

test.each(['RS256', 'ES256', 'EdDSA'])(
  'ID tokens and userinfo are signed by %s as registered',
  async (alg) => {
    const { json: client } = await register({
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: alg,
      userinfo_signed_response_alg: alg,
      access_token_format: 'opaque',
    });
    const own = { client_id: client.client_id };
    const { json } = await issuer.redeem(await issuer.code(own), own, {});
    const head = (jwt: string) =>
      JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString());
    expect(head(json.id_token).alg).toBe(alg);
    const { headers, text } = await issuer.get('userinfo', json.access_token);
    expect(headers['content-type']).toBe('application/jwt');
    expect(head(text).alg).toBe(alg);
  },
);

async function assertion(
  key: Parameters<SignJWT['sign']>[0],
  alg: string,
  clientId: string,
  claims: object = {},
): Promise<Fields> {
  const { now } = (await service.send(`GET ${prefix}/api/sandbox/clock`)).json;
  const iat = Math.floor(Date.parse(now) / 1000);
  const payload = {
    iss: clientId,
    sub: clientId,
    aud: issuerUrl(),
    iat,
    exp: iat + 60,
    jti: String(Math.random()),
    ...claims,
  };
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT(payload).setProtectedHeader({ alg }).sign(key),
  };
}

const asking = { grant_type: 'client_credentials' };

test('a client authenticates with its key, once with each assertion', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const { privateKey: otherKey } = await generateKeyPair('ES256');
  const { json: client } = await register({
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [await exportJWK(publicKey)] },
  });
  expect(client).not.toHaveProperty('client_secret');
  const make = (claims = {}, key = privateKey) => assertion(key, 'ES256', client.client_id, claims);
  const right = await make();
  expect((await issuer.token({ ...asking, ...right }, {})).status).toBe(200);
  const forEndpoint = await make({ aud: [`${issuerUrl()}/token`] });
  expect((await issuer.token({ ...asking, ...forEndpoint }, {})).status).toBe(200);
  for (const [wrong, says] of [
    [right, 'already used'],
    [await make({}, otherKey), 'signature'],
    [await make({ aud: 'https://other.example' }), '"aud"'.replaceAll('"', "'")],
    [await make({ exp: 1 }), 'exp'],
    [await make({ exp: 9_999_999_999 }), 'ahead'],
    [await make({ jti: undefined }), 'jti'],
    [await make({ iss: 'other' }), 'iss'],
    [{ ...right, client_assertion: 'nonsense' }, 'not a JWT'],
  ] as const) {
    const { status, json } = await issuer.token({ ...asking, ...wrong }, {});
    expect(status).toBe(401);
    expect(json.error_description).toContain(says);
  }
  const twice = await issuer.token({ ...asking, ...(await make()) }, asWeb);
  expect(twice.json.error).toBe('invalid_request');
});

test('a demo client may sign with its secret', async () => {
  const key = new TextEncoder().encode('demo-service-secret-of-32-letters');
  const fields = await assertion(key, 'HS256', 'demo-service');
  expect((await issuer.token({ ...asking, ...fields }, {})).status).toBe(200);
  const forged = await assertion(new Uint8Array(32), 'HS256', 'demo-service');
  expect((await issuer.token({ ...asking, ...forged }, {})).status).toBe(401);
});

test('a registered client is known only in its sandbox', async () => {
  const { json } = await register({ redirect_uris: [redirectUri] });
  const request = usualRequest({ client_id: json.client_id, auto: 'ada' });
  expect(responseIn(await issuer.authorize(request)).has('code')).toBe(true);
  expect((await issuerAt(service, '/s/elsewhere').authorize(request)).status).toBe(400);
});
