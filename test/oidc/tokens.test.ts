import { createHash, createHmac } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { basicHeader } from '../support/demo-credentials.js';
import {
  asService,
  asWeb,
  cookiesOf,
  type Fields,
  fieldsOf,
  issuerAt,
  redirectUri,
  responseIn,
  useIssuer,
  usualRequest,
  without,
} from '../support/oidc.js';

const issuer = useIssuer('tokens');
const { service, prefix, issuerUrl } = issuer;
const offline = { scope: 'openid profile offline_access' };

test('a code returns an access token of RFC 9068 and an ID token, both signed', async () => {
  const claims = JSON.stringify({ id_token: { email: null }, userinfo: { phone_number: null } });
  const code = await issuer.code({ nonce: 'n-1', claims });
  const { status, headers, json } = await issuer.redeem(code);
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('no-store');
  expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'openid profile' });
  expect(json).not.toHaveProperty('refresh_token');
  const keys = createRemoteJWKSet(new URL(`${issuerUrl()}/jwks`));
  const access = await jwtVerify(json.access_token, keys, {
    issuer: issuerUrl(),
    audience: `${issuerUrl()}/api`,
    typ: 'at+jwt',
  });
  expect(access.payload).toMatchObject({
    sub: 'ada',
    client_id: 'demo-web',
    scope: 'openid profile',
    acr: 'pwd',
  });
  const id = await jwtVerify(json.id_token, keys, { issuer: issuerUrl(), audience: 'demo-web' });
  const digest = createHash('sha256').update(json.access_token).digest();
  expect(id.payload).toMatchObject({
    sub: 'ada',
    nonce: 'n-1',
    amr: ['pwd'],
    email: 'ada@example.com',
    at_hash: digest.subarray(0, 16).toString('base64url'),
  });
  const userinfo = await issuer.get('userinfo', json.access_token);
  expect(userinfo.json).toMatchObject({ sub: 'ada', name: 'Ada Lovelace', roles: ['user'] });
  expect(userinfo.json.phone_number).toBe('+44 20 7946 0000');
  expect(userinfo.json).not.toHaveProperty('email');
  const posted = await issuer.post('userinfo', { access_token: json.access_token });
  expect(posted.json).toEqual(userinfo.json);
  const own = { Authorization: `Bearer ${json.access_token}` };
  const twice = await issuer.post('userinfo', { access_token: json.access_token }, own);
  expect(twice.status).toBe(400);
  expect(twice.json.error).toBe('invalid_request');
  expect((await issuer.get('api/me', json.access_token)).json.sub).toBe('ada');
  const lacking = await issuer.get('api/orders', json.access_token);
  expect(lacking.status).toBe(403);
  expect(lacking.headers['www-authenticate']).toContain('error="insufficient_scope"');
  expect(lacking.headers['www-authenticate']).toContain('scope="orders"');
});

test.each<[name: string, more: Fields, error: string]>([
  ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
  ['no verifier', { code_verifier: '' }, 'invalid_grant'],
  ['another redirect URI', { redirect_uri: 'http://localhost:1/callback' }, 'invalid_grant'],
  ['no redirect URI', { redirect_uri: '' }, 'invalid_request'],
  ['no code', { code: '' }, 'invalid_request'],
  ['an unknown code', { code: 'oac_unknown' }, 'invalid_grant'],
  ['an unknown grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ['a grant of other clients', { grant_type: 'client_credentials' }, 'unauthorized_client'],
])('%s is rejected, and the code stays valid', async (_name, more, error) => {
  const code = await issuer.code();
  const rejected = await issuer.redeem(code, more);
  expect(rejected.status).toBe(400);
  expect(rejected.json.error).toBe(error);
  expect((await issuer.redeem(code)).status).toBe(200);
});

test('a code belongs to one client, and expires after a minute', async () => {
  const code = await issuer.code();
  const other = await issuer.redeem(code, { client_id: 'demo-spa' }, {});
  expect(other.json.error).toBe('invalid_grant');
  await issuer.setClock(61);
  const late = await issuer.redeem(code);
  expect(late.json.message).toContain('The code expired at');
  await issuer.setClock(0);
});

test('a verifier for a code without a challenge is rejected', async () => {
  const request = usualRequest({ auto: 'ada' });
  const plain = without(request, 'code_challenge', 'code_challenge_method');
  const code = responseIn(await issuer.authorize(plain)).get('code') ?? '';
  expect((await issuer.redeem(code)).json.message).toContain('had no code_challenge');
  expect((await issuer.redeem(code, { code_verifier: '' })).status).toBe(200);
});

test('a second use of a code revokes its tokens, the refresh token too', async () => {
  const code = await issuer.code(offline);
  const { json } = await issuer.redeem(code);
  expect((await issuer.get('api/me', json.access_token)).status).toBe(200);
  const again = await issuer.redeem(code);
  expect(again.json.error).toBe('invalid_grant');
  const dead = await issuer.get('api/me', json.access_token);
  expect(dead.status).toBe(401);
  expect(dead.headers['www-authenticate']).toContain('error="invalid_token"');
  const refresh = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  expect((await issuer.token(refresh)).json.error).toBe('invalid_grant');
});

test('of many requests with one code one succeeds, and likewise with one refresh token', async () => {
  const code = await issuer.code(offline);
  const redeemed = await Promise.all(Array.from({ length: 8 }, () => issuer.redeem(code)));
  expect(redeemed.filter(({ status }) => status === 200)).toHaveLength(1);
  const { json } = await issuer.redeem(await issuer.code(offline));
  const refresh = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  const refreshed = await Promise.all(Array.from({ length: 8 }, () => issuer.token(refresh)));
  expect(refreshed.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a refresh token rotates; its reuse revokes the family and its access tokens', async () => {
  const first = (await issuer.redeem(await issuer.code(offline))).json;
  const refresh = (token: string, more: Fields = {}) =>
    issuer.token({ grant_type: 'refresh_token', refresh_token: token, ...more });
  const second = (await refresh(first.refresh_token)).json;
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(decodeJwt(second.id_token)).toMatchObject({ sub: 'ada' });
  expect(decodeJwt(second.id_token).auth_time).toBe(decodeJwt(first.id_token).auth_time);
  const narrow = (await refresh(second.refresh_token, { scope: 'openid' })).json;
  expect(narrow.scope).toBe('openid');
  const more = await refresh(narrow.refresh_token, { scope: 'openid email' });
  expect(more.json.error).toBe('invalid_scope');
  const replayed = await refresh(first.refresh_token);
  expect(replayed.json.message).toContain('already used');
  expect((await refresh(narrow.refresh_token)).json.error).toBe('invalid_grant');
  for (const { access_token: token } of [first, second, narrow]) {
    expect((await issuer.get('userinfo', token)).status).toBe(401);
  }
});

test('a refresh token belongs to one client, and expires after two weeks', async () => {
  const { json } = await issuer.redeem(await issuer.code(offline));
  const refresh = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  const stolen = await issuer.token({ ...refresh, client_id: 'demo-spa' }, {});
  expect(stolen.json.error).toBe('invalid_grant');
  await issuer.setClock(14 * 24 * 3600 + 1);
  expect((await issuer.token(refresh)).json.error).toBe('invalid_grant');
  await issuer.setClock(0);
});

test('a public client has opaque tokens and needs no secret', async () => {
  const asSpa = { client_id: 'demo-spa' };
  const code = await issuer.code(asSpa);
  const { json } = await issuer.redeem(code, asSpa, {});
  expect(json.access_token).toMatch(/^oat_[\w-]{43}$/);
  expect((await issuer.get('api/me', json.access_token)).json.client_id).toBe('demo-spa');
  await issuer.setClock(3601);
  expect((await issuer.get('api/me', json.access_token)).status).toBe(401);
  await issuer.setClock(0);
});

test('a service gets tokens for itself, with some scopes', async () => {
  const ask = (fields: Fields) =>
    issuer.token({ grant_type: 'client_credentials', ...fields }, asService);
  const { json } = await ask({ scope: 'orders' });
  expect(json).not.toHaveProperty('refresh_token');
  expect(json).not.toHaveProperty('id_token');
  expect(decodeJwt(json.access_token)).toMatchObject({ sub: 'demo-service', scope: 'orders' });
  const got = await issuer.get('api/orders', json.access_token);
  expect(got.json.orders).toHaveLength(2);
  expect((await issuer.get('userinfo', json.access_token)).status).toBe(403);
  expect((await ask({ scope: 'openid' })).json.error).toBe('invalid_scope');
});

test.each<[name: string, fields: Fields, headers: Fields, status: number, error: string]>([
  ['nothing', {}, {}, 401, 'invalid_client'],
  ['an unknown client', { client_id: 'nobody', client_secret: 'x' }, {}, 401, 'invalid_client'],
  ['a wrong secret', { client_id: 'demo-service', client_secret: 'x' }, {}, 401, 'invalid_client'],
  ['no secret', { client_id: 'demo-service' }, {}, 401, 'invalid_client'],
  ['two ways', { client_secret: 'x' }, asService, 400, 'invalid_request'],
  ['two names', { client_id: 'demo-web' }, asService, 400, 'invalid_request'],
  ['invalid base64', {}, { Authorization: 'Basic ?' }, 401, 'invalid_client'],
  [
    'a public client with a secret',
    { client_id: 'demo-spa', client_secret: 'x' },
    {},
    401,
    'invalid_client',
  ],
  [
    'a public client by Basic',
    {},
    { Authorization: basicHeader('demo-spa', '') },
    401,
    'invalid_client',
  ],
  [
    'an assertion of another type',
    { client_assertion: 'a', client_assertion_type: 'b' },
    {},
    400,
    'invalid_request',
  ],
])('%s does not authenticate a client', async (_name, fields, headers, status, error) => {
  const response = await issuer.token({ grant_type: 'client_credentials', ...fields }, headers);
  expect(response.status).toBe(status);
  expect(response.json.error).toBe(error);
  if (status === 401) expect(response.headers['www-authenticate']).toMatch(/^Basic /);
});

test('a client may name the resource that its token is for, but no other (RFC 8707)', async () => {
  const ask = (resource: string) =>
    issuer.token({ grant_type: 'client_credentials', resource }, asService);
  const { json } = await ask(`${issuerUrl()}/api`);
  expect(decodeJwt(json.access_token).aud).toBe(`${issuerUrl()}/api`);
  expect((await ask(issuerUrl())).json.error).toBe('invalid_target');
});

test('a client may send its secret in the form', async () => {
  const secret = 'demo-service-secret-of-32-letters';
  const fields = { client_id: 'demo-service', client_secret: secret };
  const { status } = await issuer.token({ grant_type: 'client_credentials', ...fields }, {});
  expect(status).toBe(200);
});

test.each<[name: string, change: (parts: string[]) => string[]]>([
  ['another payload', ([head = '', payload = '', mark = '']) => [head, swap(payload), mark]],
  ['no signature', ([head = '', payload = '']) => [head, payload, '']],
  ['alg none', ([, payload = '']) => [encode({ alg: 'none', typ: 'at+jwt' }), payload, '']],
  [
    'our public key as an HMAC secret',
    ([, payload = '']) => {
      const head = encode({ alg: 'HS256', typ: 'at+jwt' });
      const mark = createHmac('sha256', 'public').update(`${head}.${payload}`).digest('base64url');
      return [head, payload, mark];
    },
  ],
])('an access token with %s is rejected', async (_name, change) => {
  const { json } = await issuer.token({ grant_type: 'client_credentials' }, asService);
  const forged = change(json.access_token.split('.')).join('.');
  const { status, headers } = await issuer.get('api/me', forged);
  expect(status).toBe(401);
  expect(headers['www-authenticate']).toContain('error="invalid_token"');
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const swap = (payload: string) =>
  encode({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'grace' });

test('tokens of other sandboxes and ID tokens are no access tokens', async () => {
  const { json } = await issuer.redeem(await issuer.code());
  const other = issuerAt(service, '/s/others');
  expect((await other.get('api/me', json.access_token)).status).toBe(401);
  expect((await issuer.get('api/me', json.id_token)).status).toBe(401);
  expect(decodeProtectedHeader(json.id_token)).toMatchObject({ alg: 'RS256', typ: 'JWT' });
});

test('introspection describes active tokens, and reports others only as inactive', async () => {
  const { json } = await issuer.redeem(await issuer.code(offline));
  const ask = (token: string, headers: Fields = asService) =>
    issuer.post('introspect', { token }, headers);
  expect((await ask(json.access_token)).json).toMatchObject({
    active: true,
    client_id: 'demo-web',
    username: 'ada',
    sub: 'ada',
    iss: issuerUrl(),
    aud: `${issuerUrl()}/api`,
  });
  expect((await ask(json.refresh_token)).json).toMatchObject({
    active: true,
    client_id: 'demo-web',
  });
  expect((await ask('unknown')).json).toEqual({ active: false });
  const spa = await issuer.post('introspect', { token: 'x', client_id: 'demo-spa' });
  expect(spa.status).toBe(401);
  await issuer.setClock(3600);
  expect((await ask(json.access_token)).json).toEqual({ active: false });
  await issuer.setClock(0);
});

test('revocation revokes one access token, or by the refresh token all of them', async () => {
  const first = (await issuer.redeem(await issuer.code(offline))).json;
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
  const second = (await issuer.token(refresh)).json;
  const revoke = (token: string, headers: Fields = asWeb) =>
    issuer.post('revoke', { token }, headers);
  expect((await revoke(first.access_token, asService)).json.error).toBe('invalid_grant');
  expect((await revoke(first.access_token)).status).toBe(200);
  expect((await issuer.get('userinfo', first.access_token)).status).toBe(401);
  expect((await issuer.get('userinfo', second.access_token)).status).toBe(200);
  expect((await revoke('unknown')).status).toBe(200);
  expect((await revoke(second.refresh_token)).status).toBe(200);
  expect((await issuer.get('userinfo', second.access_token)).status).toBe(401);
});

test('the ID token of a session ends it at once, and the issuer redirects back', async () => {
  const begun = await issuer.authorize(usualRequest({ auto: 'ada' }));
  const cookie = cookiesOf(begun);
  const { json } = await issuer.redeem(responseIn(begun).get('code') ?? '');
  const silent = usualRequest({ prompt: 'none', id_token_hint: json.id_token });
  expect(responseIn(await issuer.authorize(silent, { cookie })).has('code')).toBe(true);
  const fields = {
    id_token_hint: json.id_token,
    post_logout_redirect_uri: 'http://localhost:4711/',
    state: 'bye',
  };
  const query = new URLSearchParams(fields);
  const out = await service.send(`GET ${prefix}/oidc/logout?${query}`, { headers: { cookie } });
  expect(out.status).toBe(303);
  expect(out.headers.location).toBe('http://localhost:4711/?state=bye');
  expect(out.headers['set-cookie']?.[0]).toContain('Max-Age=0');
  expect(responseIn(await issuer.authorize(silent, { cookie })).get('error')).toBe(
    'login_required',
  );
});

test('without an ID token the user must confirm, and unknown redirect URIs are rejected', async () => {
  const cookie = cookiesOf(await issuer.authorize(usualRequest({ auto: 'ada' })));
  const page = await service.send(`GET ${prefix}/oidc/logout`, { headers: { cookie } });
  expect(page.text).toContain('<h1>Log out?</h1>');
  const jar = `${cookie}; ${cookiesOf(page)}`;
  const unasked = await issuer.post('logout', {}, { cookie: jar });
  expect(unasked.text).toContain('<h1>Log out?</h1>');
  const out = await issuer.post('logout', fieldsOf(page), { cookie: jar });
  expect(out.text).toContain('You are logged out');
  const target = { post_logout_redirect_uri: redirectUri, client_id: 'demo-web' };
  for (const fields of [target, without(target, 'client_id'), { id_token_hint: 'x' }]) {
    const rejected = await issuer.post('logout', fields);
    expect(rejected.status).toBe(400);
    expect(rejected.json.error).toBe('invalid_request');
  }
});

test('a reset of the sandbox deletes everything', async () => {
  const other = issuerAt(service, '/s/forgetful');
  const { json } = await other.redeem(await other.code());
  await service.send('DELETE /s/forgetful/api/sandbox');
  expect((await other.get('userinfo', json.access_token)).status).toBe(401);
});
