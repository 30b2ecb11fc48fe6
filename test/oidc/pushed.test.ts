/**
 * Requests that are pushed (RFC 9126), signed (RFC 9101), or limited to a part of the resource (RFC
 * 8707).
 */

import { decodeJwt, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { dpopKey } from '../support/dpop.js';
import {
  asService,
  asWeb,
  cookiesOf,
  type Fields,
  fieldsOf,
  redirectUri,
  responseIn,
  useIssuer,
  usualRequest,
  without,
} from '../support/oidc.js';
import type { HttpResponse } from '../support/service.js';

const issuer = useIssuer('pushed');
const { service, prefix, issuerUrl } = issuer;
const secret = new TextEncoder().encode('demo-web-secret-of-32-characters');

const push = (fields: Fields, headers: Fields = asWeb) => issuer.post('par', fields, headers);
const pushedUri = async (more: Fields = {}) => {
  const { status, json } = await push(usualRequest(more));
  expect(status).toBe(201);
  return json.request_uri as string;
};
const byUri = (request_uri: string, more: Fields = {}) =>
  issuer.authorize({ client_id: 'demo-web', request_uri, ...more });

test('a request is pushed, and its request_uri is valid once', async () => {
  const pushed = await push(without(usualRequest(), 'client_id'));
  expect(pushed.status).toBe(201);
  expect(pushed.headers['cache-control']).toBe('no-store');
  expect(pushed.json).toEqual({
    request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:opr_[\w-]{43}$/),
    expires_in: 60,
  });
  const { request_uri: uri } = pushed.json;
  const other = await issuer.authorize({ client_id: 'demo-spa', request_uri: uri });
  expect(other.json.error).toBe('invalid_request_uri');
  const response = responseIn(await byUri(uri, { auto: 'ada', scope: 'orders', state: 'other' }));
  expect(response.get('state')).toBe('xyz');
  const { json } = await issuer.redeem(response.get('code') ?? '');
  expect(json.scope).toBe('openid profile');
  const again = await byUri(uri, { auto: 'ada' });
  expect(again.status).toBe(400);
  expect(again.json.error).toBe('invalid_request_uri');
  const redirected = await byUri(uri, { redirect_uri: redirectUri });
  expect(responseIn(redirected).get('error')).toBe('invalid_request_uri');
});

test('of many requests with one request_uri one succeeds', async () => {
  const uri = await pushedUri();
  const responses = await Promise.all(Array.from({ length: 8 }, () => byUri(uri, { auto: 'ada' })));
  // Requests that lose the race get an error at the client's redirect URI, the others a page.
  const codes = responses.filter(({ headers }) => headers.location?.includes('code=oac_'));
  expect(codes.length).toBe(1);
});

test('until it is used, a pushed request may be opened again', async () => {
  const uri = await pushedUri();
  const [first, second] = [await byUri(uri), await byUri(uri)];
  const done = await issuer.throughPages(second);
  expect(responseIn(done).has('code')).toBe(true);
  expect((await byUri(uri)).json.error).toBe('invalid_request_uri');
  const entered = { ...fieldsOf(first), username: 'ada', password: 'ada-secret' };
  const late = await issuer.post('login', entered, { cookie: cookiesOf(first) });
  expect(responseIn(late).get('error')).toBe('invalid_request_uri');
});

test.each<[name: string, refuse: (uri: string) => Promise<HttpResponse>]>([
  ['denied', async (uri) => issuer.throughPages(await byUri(uri), 'grace', 'deny')],
  ['denied at once', (uri) => byUri(uri, { auto: 'deny' })],
])('a pushed request that is %s is accepted once', async (_name, reject) => {
  const uri = await pushedUri();
  expect(responseIn(await reject(uri)).get('error')).toBe('access_denied');
  expect((await byUri(uri, { auto: 'ada' })).json.error).toBe('invalid_request_uri');
});

test('the first visit must be within a minute: a user on a page may take longer', async () => {
  const page = await byUri(await pushedUri({ scope: 'openid orders' }));
  await issuer.setClock(600);
  expect(responseIn(await issuer.throughPages(page, 'grace')).has('code')).toBe(true);
  await issuer.setClock(0);
});

test('a pushed request expires after a minute, and auto inside of it is ignored', async () => {
  const uri = await pushedUri({ auto: 'ada', scope: 'openid email' });
  const page = await byUri(uri);
  expect(page.text).toContain('<h1>Log in</h1>');
  const right = { ...fieldsOf(page), username: 'ada', password: 'ada-secret' };
  const consent = await issuer.post('login', right, { cookie: cookiesOf(page) });
  expect(consent.text).toContain('<h1>Allow this?</h1>');
  const late = await pushedUri();
  await issuer.setClock(61);
  expect((await byUri(late, { auto: 'ada' })).json.error).toBe('invalid_request_uri');
  await issuer.setClock(0);
});

test.each<[name: string, fields: Fields, headers: Fields, status: number, error: string]>([
  ['no client', without(usualRequest(), 'client_id'), {}, 401, 'invalid_client'],
  ['a wrong secret', usualRequest({ client_secret: 'x' }), {}, 401, 'invalid_client'],
  ['a request_uri', usualRequest({ request_uri: 'urn:x' }), asWeb, 400, 'invalid_request'],
  [
    'an unknown redirect URI',
    usualRequest({ redirect_uri: 'https://x/' }),
    asWeb,
    400,
    'invalid_request',
  ],
  ['no response type', without(usualRequest(), 'response_type'), asWeb, 400, 'invalid_request'],
  ['an unknown scope', usualRequest({ scope: 'all' }), asWeb, 400, 'invalid_scope'],
  ['an unknown resource', usualRequest({ resource: 'https://x/' }), asWeb, 400, 'invalid_target'],
  ['a forged object', { request: 'a.b.c' }, asWeb, 400, 'invalid_request_object'],
])('%s cannot be pushed', async (_name, fields, headers, status, error) => {
  const response = await push(fields, headers);
  expect(response.status).toBe(status);
  expect(response.json.error).toBe(error);
});

test('a proof beside a pushed request binds its code to the key', async () => {
  const key = dpopKey();
  const target = `POST ${issuerUrl()}/par`;
  const first = await push(usualRequest(), { ...asWeb, DPoP: await key.proof(target) });
  expect(first.json.error).toBe('use_dpop_nonce');
  const nonce = first.headers['dpop-nonce'];
  const prove = async (more: Fields = {}) =>
    push(usualRequest(more), { ...asWeb, DPoP: await key.proof(target, { nonce }) });
  const other = await prove({ dpop_jkt: await dpopKey().thumbprint() });
  expect(other.json.error).toBe('invalid_dpop_proof');
  const { json } = await prove();
  const code = responseIn(await byUri(json.request_uri, { auto: 'ada' })).get('code') ?? '';
  expect((await issuer.redeem(code)).json.message).toContain('dpop_jkt');
});

test('a client that is registered for it must push its requests', async () => {
  const { json: client } = await issuer.register({
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    require_pushed_authorization_requests: true,
  });
  const own = { client_id: client.client_id };
  const direct = responseIn(await issuer.authorize(usualRequest({ ...own, auto: 'ada' })));
  expect(direct.get('error')).toBe('invalid_request');
  const { json } = await push(usualRequest(own), {});
  const { request_uri } = json;
  expect(responseIn(await issuer.authorize({ ...own, request_uri, auto: 'ada' })).has('code')).toBe(
    true,
  );
});

interface ObjectOptions {
  readonly header?: object;
  readonly key?: Parameters<SignJWT['sign']>[0];
}

function requestObject(claims: object = {}, { header, key = secret }: ObjectOptions = {}) {
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    ...usualRequest(),
    iss: 'demo-web',
    aud: issuerUrl(),
    exp: now + 60,
    max_age: 3600,
    claims: { id_token: { email: null } },
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'oauth-authz-req+jwt', ...header })
    .sign(key);
}

test('a signed request contains all parameters, and others beside it are ignored', async () => {
  const request = await requestObject();
  const beside = { client_id: 'demo-web', request, state: 'other', scope: 'orders', auto: 'ada' };
  const response = responseIn(await issuer.authorize(beside));
  expect(response.get('state')).toBe('xyz');
  const { json } = await issuer.redeem(response.get('code') ?? '');
  expect(json.scope).toBe('openid profile');
  expect(decodeJwt(json.id_token).email).toBe('ada@example.com');
  const pushed = await push({ request });
  expect(responseIn(await byUri(pushed.json.request_uri, { auto: 'ada' })).has('code')).toBe(true);
  const both = { client_id: 'demo-web', redirect_uri: redirectUri, request };
  const twice = await issuer.authorize({ ...both, request_uri: pushed.json.request_uri });
  expect(responseIn(twice).get('error')).toBe('invalid_request');
  const page = await issuer.authorize({
    client_id: 'demo-web',
    request: await requestObject({ auto: 'ada' }),
  });
  expect(page.text).toContain('<h1>Log in</h1>');
});

test.each<[name: string, claims: object, options: ObjectOptions, says: string]>([
  ['another issuer', { iss: 'demo-spa' }, {}, 'iss'],
  ['no issuer', { iss: undefined }, {}, 'iss'],
  ['another audience', { aud: 'https://other.example' }, {}, 'aud'],
  ['no audience', { aud: undefined }, {}, 'aud'],
  ['no exp', { exp: undefined }, {}, 'exp'],
  ['an exp in the past', { exp: 1 }, {}, 'exp'],
  ['an exp far ahead', { exp: 9_999_999_999 }, {}, 'ahead'],
  ['an nbf in the future', { nbf: 9_999_999_999 }, {}, 'nbf'],
  ['another client', { client_id: 'demo-spa' }, {}, 'client_id'],
  ['the sub of an assertion', { sub: 'demo-web' }, {}, 'sub'],
  ['another request in it', { request: 'a.b.c' }, {}, 'another request'],
  ['another key', {}, { key: new Uint8Array(32) }, 'signature'],
])('a request object with %s is rejected', async (_name, claims, options, says) => {
  const request = await requestObject(claims, options);
  const params = { client_id: 'demo-web', redirect_uri: redirectUri, request, auto: 'ada' };
  const response = responseIn(await issuer.authorize(params));
  expect(response.get('error')).toBe('invalid_request_object');
  expect(response.get('error_description')).toContain(says);
  const withoutRedirect = await issuer.authorize({ client_id: 'demo-web', request, auto: 'ada' });
  expect(withoutRedirect.status).toBe(400);
  expect(withoutRedirect.json.error).toBe('invalid_request_object');
});

test('an unsigned request object is rejected, and so is a foreign request_uri', async () => {
  const request = new UnsecuredJWT({ ...usualRequest(), iss: 'demo-web', aud: issuerUrl() })
    .setExpirationTime('1 minute')
    .encode();
  const params = { client_id: 'demo-web', redirect_uri: redirectUri };
  const unsigned = responseIn(await issuer.authorize({ ...params, request }));
  expect(unsigned.get('error')).toBe('invalid_request_object');
  const request_uri = 'https://client.example/request.jwt';
  const foreign = responseIn(await issuer.authorize({ ...params, request_uri }));
  expect(foreign.get('error')).toBe('request_uri_not_supported');
});

let signer: { readonly clientId: string; readonly key: Parameters<SignJWT['sign']>[0] };

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const { json } = await issuer.register({
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    require_signed_request_object: true,
    jwks: { keys: [await exportJWK(publicKey)] },
  });
  signer = { clientId: json.client_id, key: privateKey };
});

test('a client that is registered for it must sign, with its registered key', async () => {
  const { clientId: client_id, key } = signer;
  const direct = responseIn(await issuer.authorize(usualRequest({ client_id, auto: 'ada' })));
  expect(direct.get('error')).toBe('invalid_request');
  expect((await push(usualRequest({ client_id }), {})).json.error).toBe('invalid_request');
  const claims = { client_id, iss: client_id };
  const request = await requestObject(claims, { header: { alg: 'ES256' }, key });
  expect(responseIn(await issuer.authorize({ client_id, request, auto: 'ada' })).has('code')).toBe(
    true,
  );
  const bySecret = await requestObject(claims);
  expect((await issuer.authorize({ client_id, request: bySecret })).json.error).toBe(
    'invalid_request_object',
  );
});

const part = (name: string) => `${issuerUrl()}/api${name}`;
const resources = (...names: string[]): [string, string][] =>
  names.map((name) => ['resource', part(name)]);
const sending = (fields: Fields, ...names: string[]) =>
  new URLSearchParams([...Object.entries(fields), ...resources(...names)]).toString();
const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };

test('several resources are granted, and a token is for some of them', async () => {
  const request = usualRequest({ auto: 'ada', scope: 'profile orders offline_access' });
  const asked = await service.send(
    `GET ${prefix}/oidc/authorize?${sending(request, '/me', '/orders')}`,
  );
  const redeeming = {
    grant_type: 'authorization_code',
    code: responseIn(asked).get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  };
  const token = (body: string) =>
    service.send(`POST ${prefix}/oidc/token`, { headers: { ...formType, ...asWeb }, body });
  expect((await token(sending(redeeming, ''))).json.error).toBe('invalid_target');
  const { json } = await token(sending(redeeming, '/me'));
  expect(decodeJwt(json.access_token).aud).toBe(part('/me'));
  expect((await issuer.get('api/me', json.access_token)).status).toBe(200);
  const other = await issuer.get('api/orders', json.access_token);
  expect(other.status).toBe(401);
  expect(other.headers['www-authenticate']).toContain('error="invalid_token"');
  const known = await issuer.post('introspect', { token: json.access_token }, asService);
  expect(known.json.aud).toBe(part('/me'));
  const refreshing = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  expect((await token(sending(refreshing, ''))).json.error).toBe('invalid_target');
  const next = (await token(sending(refreshing))).json;
  expect(decodeJwt(next.access_token).aud).toEqual([part('/me'), part('/orders')]);
  expect((await issuer.get('api/orders', next.access_token)).status).toBe(200);
});

test('the whole resource may be reduced to a part of it, and one unknown resource makes all invalid', async () => {
  const code = await issuer.code({ resource: part('') });
  const { json } = await issuer.redeem(code, { resource: part('/me') });
  expect(decodeJwt(json.access_token).aud).toBe(part('/me'));
  const body = `${sending({ grant_type: 'client_credentials' }, '')}&resource=https%3A%2F%2Fx%2F`;
  const strange = await service.send(`POST ${prefix}/oidc/token`, {
    headers: { ...formType, ...asService },
    body,
  });
  expect(strange.json.error).toBe('invalid_target');
});
