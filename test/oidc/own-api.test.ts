/** Scopes, resources and claims of a tester's own API, configured by one PUT. */

import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { beforeAll, expect, test } from 'vitest';
import { basicHeader } from '../support/demo-credentials.js';
import {
  asService,
  asWeb,
  cookiesOf,
  type Fields,
  fieldsOf,
  responseIn,
  useIssuer,
  usualRequest,
} from '../support/oidc.js';

const issuer = useIssuer('own-api');
const { service, prefix, issuerUrl } = issuer;
const api = 'https://my-api.example';
const plainName = 'my-api';

const own = {
  clientId: '1PpG/Q 1',
  clientSecret: 's3+r%t',
  redirectUris: ['http://client.docker:5050/cb'],
};
const asOwn = {
  Authorization: basicHeader('1PpG%2FQ+1', 's3%2Br%25t'),
};
const settings = {
  scopes: ['api.read', 'api:write', 'openid'],
  resources: [api, plainName, 'https://other-api.example/v1'],
  clients: [
    { ...own, claims: { azp_tier: 'gold', roles: ['client'] } },
    {
      clientId: 'batch',
      clientSecret: 'short',
      audience: api,
      claimsInIdToken: true,
      redirectUris: ['http://client.docker:5050/cb'],
    },
  ],
  users: [
    {
      username: 'mary',
      password: 'of-somerville',
      claims: { name: 'Mary', email: 'm@example.com' },
      accessClaims: { tenant: 't1', roles: ['admin'] },
    },
  ],
};

beforeAll(async () => {
  const put = await service.send(`PUT ${prefix}/api/sandbox/oidc`, { json: settings });
  expect(put.status, put.text).toBe(200);
});

const redirect_uri = own.redirectUris[0] ?? '';
const asking = (more: Fields = {}) =>
  usualRequest({ client_id: own.clientId, redirect_uri, auto: 'mary', ...more });

async function tokensFor(more: Fields, atToken: Fields = {}, headers: Fields = asOwn) {
  const code = responseIn(await issuer.authorize(asking(more))).get('code') ?? '';
  const { status, json } = await issuer.redeem(code, { redirect_uri, ...atToken }, headers);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

const introspected = async (token: string) =>
  (await issuer.post('introspect', { token }, asWeb)).json;

test('discovery lists the scopes and resources, each once', async () => {
  const { json } = await service.send(`GET ${prefix}/oidc/.well-known/openid-configuration`);
  expect(json.scopes_supported).toEqual(
    expect.arrayContaining(['openid', 'api.read', 'api:write']),
  );
  expect(new Set(json.scopes_supported).size).toBe(json.scopes_supported.length);
  expect(json.protected_resources).toContain(api);
  expect(json.protected_resources).not.toContain(plainName);
});

test('the consent page names the scope, and the user grants it', async () => {
  const fields = asking({ scope: 'openid api.read' });
  const { auto: _, ...request } = fields;
  const login = await issuer.authorize(request);
  const browser = cookiesOf(login);
  const entered = { ...fieldsOf(login), username: 'mary', password: 'of-somerville' };
  const consent = await issuer.post('login', entered, { cookie: browser });
  expect(consent.text).toContain('<small>api.read</small>');
  const cookie = [browser, cookiesOf(consent)].join('; ');
  const allowed = await issuer.post(
    'consent',
    { ...fieldsOf(consent), answer: 'allow' },
    { cookie },
  );
  const code = responseIn(allowed).get('code') ?? '';
  const { json } = await issuer.redeem(code, { redirect_uri }, asOwn);
  expect(json.scope).toBe('openid api.read');
});

test.each<[string, Fields, Fields]>([
  ['audience at authorize', { audience: api }, {}],
  ['resource at authorize', { resource: api }, {}],
  ['audience at token', {}, { audience: api }],
  ['resource at token', {}, { resource: api }],
  ['both, and the same', { audience: api, resource: api }, { audience: api }],
])('%s becomes aud, with the claims of client and user', async (_name, atAuthorize, atToken) => {
  const tokens = await tokensFor({ scope: 'openid api.read', ...atAuthorize }, atToken);
  const { json: keys } = await service.send(`GET ${prefix}/oidc/jwks`);
  const { payload } = await jwtVerify(tokens.access_token, createLocalJWKSet(keys), {
    issuer: issuerUrl(),
    audience: api,
    typ: 'at+jwt',
  });
  const expected = {
    aud: api,
    sub: 'mary',
    client_id: own.clientId,
    scope: 'openid api.read',
    tenant: 't1',
    azp_tier: 'gold',
    roles: ['admin'],
  };
  expect(payload).toMatchObject(expected);
  expect(await introspected(tokens.access_token)).toMatchObject({ active: true, ...expected });
  expect(decodeJwt(tokens.id_token)).toMatchObject({ aud: own.clientId });
  expect(decodeJwt(tokens.id_token)).not.toHaveProperty('tenant');
  const userinfo = (await issuer.get('userinfo', tokens.access_token)).json;
  expect(userinfo).toEqual({ sub: 'mary' });
  expect((await issuer.get('api/me', tokens.access_token)).status).toBe(401);
});

test('several audiences are a list, in introspection too', async () => {
  const body = new URLSearchParams([
    ['grant_type', 'client_credentials'],
    ['resource', api],
    ['audience', plainName],
  ]).toString();
  const headers = { ...asOwn, 'Content-Type': 'application/x-www-form-urlencoded' };
  const { json } = await service.send(`POST ${prefix}/oidc/token`, { headers, body });
  expect(decodeJwt(json.access_token).aud).toEqual([api, plainName]);
  expect((await introspected(json.access_token)).aud).toEqual([api, plainName]);
});

test.each<[string, Fields]>([
  ['another audience', { audience: 'https://strange.example' }],
  ['another resource', { resource: 'https://strange.example' }],
  ['a resource that is no URI', { resource: plainName }],
  ['an unknown audience beside a known one', { audience: `${api} strange` }],
  ['an audience of another case', { audience: 'HTTPS://my-api.example' }],
  ['a path below', { audience: `${api}/orders` }],
])('%s is invalid_target everywhere', async (_name, fields) => {
  const responses = [
    Object.fromEntries(responseIn(await issuer.authorize(asking(fields)))),
    (await issuer.post('par', asking(fields), asOwn)).json,
    (await issuer.token({ grant_type: 'client_credentials', ...fields }, asOwn)).json,
    (await issuer.post('device_authorization', { client_id: 'demo-device', ...fields })).json,
  ];
  for (const { error, error_description: words } of responses) {
    expect(error).toBe('invalid_target');
    expect(words).toContain('PUT /api/sandbox/oidc');
  }
});

test('a pushed request and a device select the audience', async () => {
  const { auto: _, ...request } = asking({ audience: plainName, scope: 'openid api.read' });
  const pushed = (await issuer.post('par', request, asOwn)).json;
  const at = { client_id: own.clientId, request_uri: pushed.request_uri, auto: 'mary' };
  const code = responseIn(await issuer.authorize(at)).get('code') ?? '';
  const { json } = await issuer.redeem(code, { redirect_uri }, asOwn);
  expect(decodeJwt(json.access_token).aud).toBe(plainName);
  const device = { client_id: 'demo-device', audience: api, scope: 'api.read' };
  const { json: waiting } = await issuer.post('device_authorization', device);
  await service.send(`GET ${prefix}/oidc/device?user_code=${waiting.user_code}&auto=mary`);
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const redeeming = { grant_type, client_id: 'demo-device', device_code: waiting.device_code };
  const granted = (await issuer.token(redeeming, {})).json;
  expect(await introspected(granted.access_token)).toMatchObject({
    aud: api,
    tenant: 't1',
    scope: 'api.read',
  });
});

test('client credentials get the scopes of the sandbox, and no scopes of users', async () => {
  const ask = (fields: Fields) =>
    issuer.token({ grant_type: 'client_credentials', ...fields }, asOwn);
  const { json } = await ask({ scope: 'api.read', audience: api });
  expect(decodeJwt(json.access_token)).toMatchObject({
    aud: api,
    sub: own.clientId,
    scope: 'api.read',
    roles: ['client'],
  });
  expect(decodeJwt(json.access_token)).not.toHaveProperty('tenant');
  expect((await ask({})).json.scope).toBe('profile orders api.read api:write');
  const people = (await ask({ scope: 'openid' })).json;
  expect(people.error).toBe('invalid_scope');
  expect(people.error_description).toContain('api.read');
});

test('a refresh can reduce scope and resource, but not extend them', async () => {
  const tokens = await tokensFor({
    scope: 'openid api.read api:write offline_access',
    audience: api,
  });
  const refresh = (token: string, more: Fields) =>
    issuer.token({ grant_type: 'refresh_token', refresh_token: token, ...more }, asOwn);
  const wider = await refresh(tokens.refresh_token, { audience: plainName });
  expect(wider.json.error).toBe('invalid_target');
  const { json } = await refresh(tokens.refresh_token, { scope: 'api.read', audience: api });
  expect(json.scope).toBe('api.read');
  expect(decodeJwt(json.access_token)).toMatchObject({ aud: api, scope: 'api.read' });
  const more = await refresh(json.refresh_token, { scope: 'orders' });
  expect(more.json.error).toBe('invalid_scope');
});

test('a client has a default audience if no request names one', async () => {
  const asBatch = { Authorization: basicHeader('batch', 'short') };
  const ask = async (fields: Fields = {}) =>
    decodeJwt(
      (await issuer.token({ grant_type: 'client_credentials', ...fields }, asBatch)).json
        .access_token,
    ).aud;
  expect(await ask()).toBe(api);
  expect(await ask({ audience: plainName })).toBe(plainName);
  const request = asking({ client_id: 'batch', scope: 'openid profile email offline_access' });
  const code = responseIn(await issuer.authorize(request)).get('code') ?? '';
  const { json } = await issuer.redeem(code, { redirect_uri }, asBatch);
  expect(decodeJwt(json.access_token).aud).toBe(api);
  const refreshing = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  expect(decodeJwt((await issuer.token(refreshing, asBatch)).json.access_token).aud).toBe(api);
  // claimsInIdToken of the same client.
  expect(decodeJwt(json.id_token)).toMatchObject({ name: 'Mary', email: 'm@example.com' });
});

test('without claimsInIdToken name and email are in userinfo only, also after registration', async () => {
  const scope = 'openid profile email';
  const tokens = await tokensFor({ scope });
  expect(decodeJwt(tokens.id_token)).not.toHaveProperty('email');
  const about = (await issuer.get('userinfo', tokens.access_token)).json;
  expect(about).toMatchObject({ name: 'Mary', email: 'm@example.com' });
  const { json: client } = await issuer.register({
    redirect_uris: [redirect_uri],
    claims_in_id_token: true,
  });
  expect(client.claims_in_id_token).toBe(true);
  const code = responseIn(await issuer.authorize(asking({ client_id: client.client_id, scope })));
  const headers = { Authorization: basicHeader(client.client_id, client.client_secret) };
  const { json } = await issuer.redeem(code.get('code') ?? '', { redirect_uri }, headers);
  expect(decodeJwt(json.id_token)).toMatchObject({ name: 'Mary', email: 'm@example.com' });
});

test('an API exchanges a token for a token of the next API', async () => {
  const tokens = await tokensFor({ scope: 'openid api.read', audience: api });
  const exchange = (audience: string) =>
    issuer.token(
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: tokens.access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        audience,
      },
      asService,
    );
  const { json } = await exchange(plainName);
  expect(decodeJwt(json.access_token)).toMatchObject({ aud: plainName, sub: 'mary', tenant: 't1' });
  expect((await exchange(`${issuerUrl()}/api`)).json.error).toBe('invalid_target');
});

test('openid-client and oauth4webapi log in at the URL of a container', async () => {
  const options = { execute: [openid.allowInsecureRequests] };
  const config = await openid.discovery(
    new URL(issuerUrl()),
    own.clientId,
    own.clientSecret,
    openid.ClientSecretBasic(own.clientSecret),
    options,
  );
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'openid api.read',
    resource: api,
    auto: 'mary',
  });
  const { headers } = await fetch(url, { redirect: 'manual' });
  const tokens = await openid.authorizationCodeGrant(
    config,
    new URL(headers.get('location') ?? ''),
  );
  expect(tokens.claims()?.aud).toBe(own.clientId);
  const server = config.serverMetadata() as unknown as oauth.AuthorizationServer;
  const request = new Request(`${api}/orders`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  const claims = await oauth.validateJwtAccessToken(server, request, api, {
    [oauth.allowInsecureRequests]: true,
  });
  expect(claims).toMatchObject({ tenant: 't1', scope: 'openid api.read' });
});

test('a later PUT without resources leaves issued tokens unchanged', async () => {
  const tokens = await tokensFor({ scope: 'openid', audience: api });
  const path = `PUT ${prefix}/api/sandbox/oidc`;
  await service.send(path, { json: { clients: [own] } });
  expect(await introspected(tokens.access_token)).toMatchObject({ active: true, aud: api });
  const rejected = responseIn(await issuer.authorize(asking({ auto: 'ada', audience: api })));
  expect(rejected.get('error')).toBe('invalid_target');
  await service.send(path, { json: settings });
});
