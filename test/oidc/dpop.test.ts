/** Tokens that are bound to a key: RFC 9449. */

import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { dpopKey } from '../support/dpop.js';
import {
  asService,
  asWeb,
  type Fields,
  issuerAt,
  responseIn,
  useIssuer,
  usualRequest,
} from '../support/oidc.js';
import type { HttpResponse } from '../support/service.js';

const issuer = useIssuer('dpop');
const { service, prefix } = issuer;
const url = (path: string) => `${service.url}${prefix}/oidc/${path}`;
const asSpa = { client_id: 'demo-spa' };
const offline = { scope: 'openid profile offline_access' };
type Key = ReturnType<typeof dpopKey>;

const nonceIn = ({ headers }: HttpResponse) => String(headers['dpop-nonce']);

async function someNonce(): Promise<string> {
  const DPoP = await dpopKey().proof(`POST ${url('token')}`);
  return nonceIn(await issuer.token({ grant_type: 'client_credentials' }, { ...asService, DPoP }));
}

/** The headers of a request to the token endpoint. */
async function proved(key: Key, headers: Fields = {}): Promise<Fields> {
  const nonce = await someNonce();
  return { ...headers, DPoP: await key.proof(`POST ${url('token')}`, { nonce }) };
}

async function boundToken(key: Key): Promise<string> {
  const headers = await proved(key, asService);
  const { status, json } = await issuer.token({ grant_type: 'client_credentials' }, headers);
  expect(status).toBe(200);
  expect(json.token_type).toBe('DPoP');
  return json.access_token;
}

async function getMe(token: string, key: Key, claims: object = {}, scheme = 'DPoP') {
  const proof = await key.proof(`GET ${url('api/me')}`, claims, token);
  const headers = { Authorization: `${scheme} ${token}`, DPoP: proof };
  return service.send(`GET ${prefix}/oidc/api/me`, { headers });
}

test('a proof without a nonce gets one, and tokens are bound to the key of the proof', async () => {
  const key = dpopKey();
  const DPoP = await key.proof(`POST ${url('token')}`);
  const first = await issuer.token({ grant_type: 'client_credentials' }, { ...asService, DPoP });
  expect(first.status).toBe(400);
  expect(first.json.error).toBe('use_dpop_nonce');
  expect(nonceIn(first)).toMatch(/^[\w-]{43}$/);
  const token = await boundToken(key);
  expect(decodeJwt(token).cnf).toEqual({ jkt: await key.thumbprint() });
  const asked = await getMe(token, key);
  expect(asked.status).toBe(401);
  expect(asked.headers['www-authenticate']).toMatch(
    /^DPoP realm="Practice API", algs="ES256 .*", resource_metadata=".*", error="use_dpop_nonce"/,
  );
  const nonce = nonceIn(asked);
  expect((await getMe(token, key, { nonce })).json).toMatchObject({ sub: 'demo-service' });
  const known = await issuer.post('introspect', { token }, asService);
  expect(known.json).toMatchObject({
    token_type: 'DPoP',
    cnf: { jkt: await key.thumbprint() },
  });
});

test('a bound token is rejected as Bearer, in a form too, and a token without a key as DPoP', async () => {
  const key = dpopKey();
  const token = await boundToken(key);
  const nonce = await someNonce();
  for (const rejected of [
    await issuer.get('api/me', token),
    await getMe(token, key, { nonce }, 'Bearer'),
    await issuer.post('userinfo', { access_token: token }),
  ]) {
    expect(rejected.status).toBe(401);
    expect(rejected.headers['www-authenticate']).toMatch(/^DPoP .*error="invalid_token"/);
  }
  const { json } = await issuer.token({ grant_type: 'client_credentials' }, asService);
  const unbound = await getMe(json.access_token, key, { nonce });
  expect(unbound.status).toBe(401);
  expect(unbound.json.message).toContain('bound to no key');
});

test.each<[name: string, claims: object, error: string]>([
  ['another method', { htm: 'POST' }, 'invalid_dpop_proof'],
  ['another URL', { htu: 'https://other.example/' }, 'invalid_dpop_proof'],
  ['another token', { ath: 'x' }, 'invalid_dpop_proof'],
  ['yesterday', { iat: Math.floor(Date.now() / 1000) - 86_400 }, 'invalid_dpop_proof'],
  ['a made-up nonce', { nonce: 'A'.repeat(43) }, 'use_dpop_nonce'],
  ['a nonce that is a number', { nonce: 1 }, 'use_dpop_nonce'],
])('the resource rejects a proof of %s', async (_name, claims, error) => {
  const key = dpopKey();
  const token = await boundToken(key);
  const nonce = await someNonce();
  const { status, headers } = await getMe(token, key, { nonce, ...claims });
  expect(status).toBe(401);
  expect(headers['www-authenticate']).toContain(`error="${error}"`);
  expect(headers['dpop-nonce']).toMatch(/^[\w-]{43}$/);
});

test('proofs by another key, no proof and two proofs are rejected', async () => {
  const key = dpopKey();
  const token = await boundToken(key);
  const nonce = await someNonce();
  const other = await getMe(token, dpopKey(), { nonce });
  expect(other.headers['www-authenticate']).toContain('error="invalid_token"');
  const target = `GET ${prefix}/oidc/api/me`;
  const Authorization = `DPoP ${token}`;
  const bare = await service.send(target, { headers: { Authorization } });
  expect(bare.headers['www-authenticate']).toContain('error="invalid_dpop_proof"');
  const proof = () => key.proof(`GET ${url('api/me')}`, { nonce }, token);
  const twice = await service.send(target, {
    headers: [
      ['Authorization', Authorization],
      ['DPoP', await proof()],
      ['DPoP', await proof()],
    ],
  });
  expect(twice.status).toBe(401);
  expect(twice.json.message).toContain('more than one');
});

test('of many requests with one proof one succeeds', async () => {
  const headers = await proved(dpopKey(), asService);
  const fields = { grant_type: 'client_credentials' };
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => issuer.token(fields, headers)),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  const rejected = responses.filter(({ status }) => status === 400);
  expect(rejected.map(({ json }) => json.error)).toEqual(Array(7).fill('invalid_dpop_proof'));
});

test('nonces and proofs use the clock of the sandbox, and are valid in one sandbox', async () => {
  const nonce = await someNonce();
  const elsewhere = issuerAt(service, '/s/dpop-elsewhere');
  const key = dpopKey();
  const DPoP = await key.proof(`POST ${service.url}/s/dpop-elsewhere/oidc/token`, { nonce });
  const foreign = await elsewhere.token(
    { grant_type: 'client_credentials' },
    { ...asService, DPoP },
  );
  expect(foreign.json.error).toBe('use_dpop_nonce');
  await issuer.setClock(3600);
  const headers = await proved(key, asService);
  const late = await issuer.token({ grant_type: 'client_credentials' }, headers);
  expect(late.json.error).toBe('invalid_dpop_proof');
  const iat = Math.floor(Date.now() / 1000) + 3600;
  const claims = { nonce, iat };
  const stale = await key.proof(`POST ${url('token')}`, claims);
  const rejected = await issuer.token(
    { grant_type: 'client_credentials' },
    { ...asService, DPoP: stale },
  );
  expect(rejected.json.error).toBe('use_dpop_nonce');
  const fresh = await key.proof(`POST ${url('token')}`, { iat, nonce: nonceIn(rejected) });
  const done = await issuer.token(
    { grant_type: 'client_credentials' },
    { ...asService, DPoP: fresh },
  );
  expect(done.status).toBe(200);
  await issuer.setClock(0);
});

test('the refresh token of a public client is bound to the key, other refresh tokens are not', async () => {
  const key = dpopKey();
  const code = await issuer.code({ ...asSpa, ...offline });
  const { json } = await issuer.redeem(code, asSpa, await proved(key));
  expect(json.token_type).toBe('DPoP');
  const refresh = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  for (const headers of [{}, await proved(dpopKey())]) {
    const rejected = await issuer.token({ ...refresh, ...asSpa }, headers);
    expect(rejected.json.error).toBe('invalid_grant');
    expect(rejected.json.message).toContain('bound to a key');
  }
  const next = await issuer.token({ ...refresh, ...asSpa }, await proved(key));
  expect(next.json.token_type).toBe('DPoP');
  const own = await issuer.code(offline);
  const first = await issuer.redeem(own, {}, await proved(key, asWeb));
  const again = { grant_type: 'refresh_token', refresh_token: first.json.refresh_token };
  const other = await issuer.token(again, await proved(dpopKey(), asWeb));
  expect(other.json.token_type).toBe('DPoP');
});

test('a code that is bound by dpop_jkt requires a proof by that key', async () => {
  const key = dpopKey();
  const code = await issuer.code({ dpop_jkt: await key.thumbprint() });
  for (const headers of [asWeb, await proved(dpopKey(), asWeb)]) {
    const rejected = await issuer.redeem(code, {}, headers);
    expect(rejected.json.error).toBe('invalid_grant');
    expect(rejected.json.message).toContain('dpop_jkt');
  }
  expect((await issuer.redeem(code, {}, await proved(key, asWeb))).status).toBe(200);
  const malformed = await issuer.authorize(usualRequest({ dpop_jkt: 'short', auto: 'ada' }));
  expect(responseIn(malformed).get('error')).toBe('invalid_request');
});

test('a client that is registered for it gets only bound tokens', async () => {
  const { json: client } = await issuer.register({
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_post',
    dpop_bound_access_tokens: true,
  });
  expect(client.dpop_bound_access_tokens).toBe(true);
  const { client_id, client_secret } = client;
  const fields = { grant_type: 'client_credentials', client_id, client_secret };
  expect((await issuer.token(fields, {})).json.error).toBe('invalid_dpop_proof');
  expect((await issuer.token(fields, await proved(dpopKey()))).status).toBe(200);
});
