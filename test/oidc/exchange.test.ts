/** Tokens for other tokens (RFC 8693), and for a JWT that the client signed itself (RFC 7523). */

import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { dpopKey } from '../support/dpop.js';
import { asService, asWeb, type Fields, useIssuer } from '../support/oidc.js';

const issuer = useIssuer('exchange');
const { issuerUrl } = issuer;
const accessType = 'urn:ietf:params:oauth:token-type:access_token';
const jwtType = 'urn:ietf:params:oauth:token-type:jwt';

let subject: string;
let actor: string;

beforeAll(async () => {
  const code = await issuer.code({ scope: 'openid profile orders' });
  subject = (await issuer.redeem(code)).json.access_token;
  const own = { grant_type: 'client_credentials', scope: 'orders' };
  actor = (await issuer.token(own, asService)).json.access_token;
});

const exchange = (fields: Fields = {}, headers: Fields = asService) =>
  issuer.token(
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: subject,
      subject_token_type: accessType,
      ...fields,
    },
    headers,
  );

test('a service acts as the user, with a smaller scope', async () => {
  const { status, headers, json } = await exchange({ scope: 'orders' });
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('no-store');
  expect(json).toMatchObject({
    issued_token_type: accessType,
    token_type: 'Bearer',
    scope: 'orders',
  });
  expect(json).not.toHaveProperty('refresh_token');
  expect(json).not.toHaveProperty('id_token');
  const claims = decodeJwt(json.access_token);
  expect(claims).toMatchObject({ sub: 'ada', client_id: 'demo-service', scope: 'orders' });
  expect(claims).not.toHaveProperty('act');
  expect((await issuer.get('api/orders', json.access_token)).json.sub).toBe('ada');
  expect((await issuer.get('api/me', json.access_token)).status).toBe(403);
});

test('a service acts for the user, and previous actors are nested in act', async () => {
  const delegation = { actor_token: actor, actor_token_type: jwtType };
  const { json } = await exchange({ ...delegation, requested_token_type: jwtType });
  expect(json.issued_token_type).toBe(jwtType);
  const act = { sub: 'demo-service' };
  expect(decodeJwt(json.access_token)).toMatchObject({ sub: 'ada', act });
  const again = await exchange({ ...delegation, subject_token: json.access_token });
  const chain = { sub: 'demo-service', act };
  expect(decodeJwt(again.json.access_token).act).toEqual(chain);
  const known = await issuer.post('introspect', { token: again.json.access_token }, asService);
  expect(known.json).toMatchObject({ sub: 'ada', act: chain });
  const impersonating = await exchange({ subject_token: json.access_token });
  expect(decodeJwt(impersonating.json.access_token).act).toEqual(act);
});

test('an exchanged token expires with its original, at the latest', async () => {
  const code = await issuer.code();
  const first = (await issuer.redeem(code)).json.access_token;
  await issuer.setClock(1800);
  const { json } = await exchange({ subject_token: first });
  expect(json.expires_in).toBeGreaterThan(1700);
  expect(json.expires_in).toBeLessThanOrEqual(1800);
  expect((await issuer.get('api/me', json.access_token)).status).toBe(200);
  await issuer.redeem(code);
  expect((await issuer.get('api/me', json.access_token)).status).toBe(401);
  expect((await exchange({ subject_token: first })).json.error).toBe('invalid_request');
  await issuer.setClock(0);
});

test.each<[name: string, fields: Fields, error: string]>([
  ['no subject', { subject_token: '' }, 'invalid_request'],
  ['no type', { subject_token_type: '' }, 'invalid_request'],
  ['another type', { subject_token_type: 'saml2' }, 'invalid_request'],
  ['a forged subject', { subject_token: 'a.b.c' }, 'invalid_request'],
  ['an unknown actor', { actor_token: 'x', actor_token_type: accessType }, 'invalid_request'],
  ['an actor without a type', { actor_token: 'x' }, 'invalid_request'],
  ['a type without an actor', { actor_token_type: accessType }, 'invalid_request'],
  ['another kind of token', { requested_token_type: 'refresh_token' }, 'invalid_request'],
  ['more scope', { scope: 'orders email' }, 'invalid_scope'],
  ['another audience', { audience: 'https://other.example' }, 'invalid_target'],
  ['another resource', { resource: 'https://other.example' }, 'invalid_target'],
])('an exchange with %s is rejected', async (_name, fields, error) => {
  const { status, json } = await exchange(fields);
  expect(status).toBe(400);
  expect(json.error).toBe(error);
});

test('the resource of a token limits the exchanged token', async () => {
  const part = `${issuerUrl()}/api/me`;
  const narrow = (await exchange({ resource: part })).json.access_token;
  expect(decodeJwt(narrow).aud).toBe(part);
  const wide = await exchange({ subject_token: narrow, resource: `${issuerUrl()}/api` });
  expect(wide.json.error).toBe('invalid_target');
  const same = await exchange({ subject_token: narrow });
  expect(decodeJwt(same.json.access_token).aud).toBe(part);
  const named = await exchange({ audience: `${issuerUrl()}/api` });
  expect(named.status).toBe(200);
});

test('clients without the grant, and tokens bound to another key, cannot be exchanged', async () => {
  expect((await exchange({}, asWeb)).json.error).toBe('unauthorized_client');
  const key = dpopKey();
  const target = `POST ${issuerUrl()}/token`;
  const own = { grant_type: 'client_credentials' };
  const asked = await issuer.token(own, { ...asService, DPoP: await key.proof(target) });
  const nonce = asked.headers['dpop-nonce'];
  const proved = async (by = key) => ({ ...asService, DPoP: await by.proof(target, { nonce }) });
  const bound = (await issuer.token(own, await proved())).json.access_token;
  const fields = { subject_token: bound };
  for (const headers of [asService, await proved(dpopKey())]) {
    expect((await exchange(fields, headers)).json.message).toContain('bound to a key');
  }
  const { json } = await exchange(fields, await proved());
  expect(json.token_type).toBe('DPoP');
  expect(decodeJwt(json.access_token).cnf).toEqual({ jkt: await key.thumbprint() });
});

const secret = new TextEncoder().encode('demo-service-secret-of-32-letters');
type Key = Parameters<SignJWT['sign']>[0];

async function speak(claims: object = {}, key: Key = secret, alg = 'HS256', more: Fields = {}) {
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    iss: 'demo-service',
    sub: 'grace',
    aud: issuerUrl(),
    exp: now + 60,
    jti: String(Math.random()),
    ...claims,
  };
  const assertion = await new SignJWT(payload).setProtectedHeader({ alg }).sign(key);
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  return { grant_type, assertion, ...more };
}

test('a client gets a token for a user by a JWT, which authenticates the client, once', async () => {
  const fields = await speak({}, secret, 'HS256', { scope: 'orders' });
  const { status, json } = await issuer.token(fields, {});
  expect(status).toBe(200);
  expect(json).not.toHaveProperty('refresh_token');
  expect(json).not.toHaveProperty('id_token');
  expect(decodeJwt(json.access_token)).toMatchObject({ sub: 'grace', client_id: 'demo-service' });
  expect((await issuer.get('api/orders', json.access_token)).json.sub).toBe('grace');
  expect((await issuer.token(fields, {})).json.message).toContain('already used');
  expect((await issuer.token(await speak(), asService)).json.scope).toBe('profile');
});

test('a registered client signs with its registered key', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const { json: client } = await issuer.register({
    grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
    token_endpoint_auth_method: 'none',
    jwks: { keys: [await exportJWK(publicKey)] },
  });
  const claims = { iss: client.client_id, sub: 'ada' };
  const { json } = await issuer.token(await speak(claims, privateKey, 'ES256'), {});
  expect(decodeJwt(json.access_token).sub).toBe('ada');
  const { privateKey: other } = await generateKeyPair('ES256');
  const forged = await issuer.token(await speak(claims, other, 'ES256'), {});
  expect(forged.json.error).toBe('invalid_grant');
});

test.each<[name: string, claims: object, error: string]>([
  ['another issuer', { iss: 'demo-web' }, 'unauthorized_client'],
  ['an unknown issuer', { iss: 'nobody' }, 'invalid_client'],
  ['an unknown user', { sub: 'nobody' }, 'invalid_grant'],
  ['no user', { sub: undefined }, 'invalid_grant'],
  ['another audience', { aud: 'https://other.example' }, 'invalid_grant'],
  ['no exp', { exp: undefined }, 'invalid_grant'],
  ['an exp in the past', { exp: 1 }, 'invalid_grant'],
  ['an exp far ahead', { exp: 9_999_999_999 }, 'invalid_grant'],
  ['no jti', { jti: undefined }, 'invalid_grant'],
])('an assertion with %s is rejected', async (_name, claims, error) => {
  expect((await issuer.token(await speak(claims), {})).json.error).toBe(error);
});

test('an assertion requires a scope that needs no consent', async () => {
  const lasting = await speak({}, secret, 'HS256', { scope: 'offline_access' });
  expect((await issuer.token(lasting, {})).json.error).toBe('invalid_scope');
  expect((await issuer.token({ ...lasting, assertion: 'x' }, {})).status).toBe(401);
  expect((await issuer.token({ ...lasting, assertion: 'x' }, asService)).status).toBe(400);
});
