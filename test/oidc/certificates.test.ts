/**
 * Clients that authenticate by a certificate, and tokens that are bound to one (RFC 8705), over the
 * service's own TLS.
 */

import { hash, X509Certificate } from 'node:crypto';
import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientKinds } from '../../src/kit/certificates/client-certificates.js';
import { useDirectService } from '../support/direct-service.js';

const service = useDirectService({ tls: true });
const redirectUri = 'http://127.0.0.1:4712/callback';
const names = {
  tls_client_auth_subject_dn: 'CN=good client',
  tls_client_auth_san_dns: 'good.client.example',
  tls_client_auth_san_uri: 'https://client.example/good',
  tls_client_auth_san_ip: '192.0.2.1',
  tls_client_auth_san_email: 'good@client.example',
};

/**
 * Connections with each certificate, and without one; names below localhost resolve to this
 * machine.
 */
const agents = new Map<string, Agent>();
let port = '';

beforeAll(async () => {
  const { text: ca } = await service.send('GET /tls/ca.pem');
  const { json: sites } = await service.send('GET /tls');
  port = new URL(sites[0].url).port;
  const connect = { ca, lookup: toThisMachine };
  agents.set('none', new Agent({ connect }));
  const strange = { ...connect, checkServerIdentity: () => undefined };
  agents.set('strange', new Agent({ connect: strange }));
  for (const kind of clientKinds) {
    const { text: pem } = await service.send(`GET /tls/client/${kind}.pem`);
    agents.set(kind, new Agent({ connect: { ...connect, cert: pem, key: pem } }));
  }
});
afterAll(async () => {
  for (const agent of agents.values()) await agent.close();
});

function toThisMachine(
  _host: string,
  { all }: { readonly all?: boolean | undefined },
  found: (error: null, address: never, family?: number) => void,
): void {
  const address = { address: '127.0.0.1', family: 4 };
  if (all) found(null, [address] as never);
  else found(null, address.address as never, 4);
}

const fetchWith =
  (kind: string): typeof fetch =>
  (url, init) =>
    undiciFetch(String(url), {
      ...(init as object),
      dispatcher: agents.get(kind) as Agent,
    }) as never;

const issuerUrl = (prefix: string, host = 'localhost') => `https://${host}:${port}${prefix}/oidc`;

async function discover(prefix: string, clientId: string, kind = 'good', host = 'localhost') {
  const url = new URL(issuerUrl(prefix, host));
  const options = { [openid.customFetch]: fetchWith(kind) as never };
  const metadata = { use_mtls_endpoint_aliases: true };
  const config = await openid.discovery(url, clientId, metadata, openid.TlsClientAuth(), options);
  return config;
}

async function register(prefix: string, metadata: object, host = 'localhost') {
  const response = await fetchWith('none')(`${issuerUrl(prefix, host)}/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'tls_client_auth',
      ...metadata,
    }),
  });
  return { status: response.status, json: (await response.json()) as Record<string, string> };
}

async function ask(kind: string, url: string, fields?: Record<string, string>, headers = {}) {
  const response = await fetchWith(kind)(url, {
    ...(fields !== undefined && { method: 'POST', body: new URLSearchParams(fields) }),
    headers,
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text && JSON.parse(text) };
}

test('certificates are declared if the service terminates TLS, with aliases where they are requested', async () => {
  const path = '/.well-known/openid-configuration';
  const beside = (await ask('none', `${issuerUrl('/s/declared')}${path}`)).json;
  expect(beside.token_endpoint_auth_methods_supported).toContain('tls_client_auth');
  expect(beside.tls_client_certificate_bound_access_tokens).toBe(true);
  const alias = `https://mtls.localhost:${port}/s/declared/oidc/certificates/localhost:${port}/oidc`;
  expect(beside.mtls_endpoint_aliases).toEqual({
    token_endpoint: `${alias}/token`,
    userinfo_endpoint: `${alias}/userinfo`,
    device_authorization_endpoint: `${alias}/device_authorization`,
    revocation_endpoint: `${alias}/revoke`,
    introspection_endpoint: `${alias}/introspect`,
    pushed_authorization_request_endpoint: `${alias}/par`,
  });
  const there = (await ask('none', `${issuerUrl('', 'mtls.localhost')}${path}`)).json;
  expect(there.introspection_endpoint_auth_methods_supported).toContain('tls_client_auth');
  expect(there).not.toHaveProperty('mtls_endpoint_aliases');
  const plain = (await service.send(`GET /oidc${path}`)).json;
  const elsewhere = await ask('strange', `https://practice.example:${port}/oidc${path}`);
  for (const json of [plain, elsewhere.json]) {
    expect(JSON.stringify(json)).not.toMatch(/tls_client|mtls/);
  }
});

test.each(Object.entries(names))('the issuer authenticates a client by %s', async (by, name) => {
  const { status, json: client } = await register('/s/named', { [by]: name });
  expect(status).toBe(201);
  expect(client).toMatchObject({ [by]: name, token_endpoint_auth_method: 'tls_client_auth' });
  expect(client).not.toHaveProperty('client_secret');
  const config = await discover('/s/named', client.client_id ?? '');
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const url = await openid.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: redirectUri,
    scope: 'openid',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const { headers } = await ask('none', `${url}&auto=ada`);
  const back = new URL(headers.get('location') ?? '');
  const tokens = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier });
  expect(tokens.claims()).toMatchObject({ sub: 'ada', iss: issuerUrl('/s/named') });
});

test('openid-client performs all grants with a certificate', async () => {
  const config = await discover('/s/all', 'demo-service');
  const { access_token } = await openid.clientCredentialsGrant(config, { scope: 'orders' });
  const known = await openid.tokenIntrospection(config, access_token);
  expect(known).toMatchObject({ active: true, iss: issuerUrl('/s/all') });
  await openid.tokenRevocation(config, access_token);
  expect(await openid.tokenIntrospection(config, access_token)).toEqual({ active: false });
  const { json: client } = await register('/s/all', {
    tls_client_auth_subject_dn: 'CN=good client',
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
    redirect_uris: [],
  });
  const device = await discover('/s/all', client.client_id ?? '');
  const asked = await openid.initiateDeviceAuthorization(device, { scope: 'openid' });
  expect(asked.verification_uri).toBe(`${issuerUrl('/s/all')}/device`);
});

test.each([
  ['no certificate', 'none', 'sent none'],
  ['an expired certificate', 'expired', 'it expired at'],
  ['a certificate of an unknown CA', 'foreign', 'not trusted'],
  ['a certificate for servers', 'wrong-usage', 'lacks client authentication'],
  ['a revoked certificate', 'revoked', 'it was revoked'],
])('%s is rejected', async (_name, kind, says) => {
  const url = `${issuerUrl('', 'mtls.localhost')}/token`;
  const fields = { grant_type: 'client_credentials', client_id: 'demo-service' };
  const { status, json } = await ask(kind, url, fields);
  expect([status, json.error]).toEqual([401, 'invalid_client']);
  expect(json.message).toContain(says);
});

test('a valid certificate is not valid for every client, and only where one is requested', async () => {
  const own = {
    tls_client_auth_san_dns: 'other.client.example',
    grant_types: ['client_credentials'],
  };
  const { json: client } = await register('', own, 'mtls.localhost');
  const fields = { grant_type: 'client_credentials', client_id: client.client_id ?? '' };
  const url = `${issuerUrl('', 'mtls.localhost')}/token`;
  const other = await ask('good', url, fields);
  expect([other.status, other.json.error]).toEqual([401, 'invalid_client']);
  expect(other.json.message).toContain('tls_client_auth_san_dns other.client.example');
  const bySecret = await ask('good', url, { ...fields, client_secret: 'x' });
  expect(bySecret.json.error).toBe('invalid_client');
  const unasked = await ask('good', `${issuerUrl('')}/token`, {
    grant_type: 'client_credentials',
    client_id: 'demo-service',
  });
  expect([unasked.status, unasked.json.error]).toEqual([401, 'invalid_client']);
  const plain = await service.send('POST /oidc/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&client_id=demo-service',
  });
  expect(plain.json.message).toContain('Use https://mtls.localhost');
});

test.each<[string, object]>([
  ['no name', {}],
  ['two names', { tls_client_auth_san_dns: 'a', tls_client_auth_san_ip: '192.0.2.1' }],
  [
    'a name and a secret',
    { token_endpoint_auth_method: 'client_secret_basic', tls_client_auth_san_dns: 'a' },
  ],
  ['a name that is not a string', { tls_client_auth_san_dns: ['a'] }],
])('a client with %s cannot be registered', async (_name, metadata) => {
  const { status, json } = await register('', metadata);
  expect([status, json.error]).toEqual([400, 'invalid_client_metadata']);
});

test('registration for certificates is rejected where none is requested', async () => {
  const { status, json } = await service.send('POST /oidc/register', {
    json: {
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: 'CN=good client',
    },
  });
  expect([status, json.error]).toEqual([400, 'invalid_client_metadata']);
});

test('a client of the sandbox is authenticated by its certificate, or rejected by name', async () => {
  const put = (client: object) =>
    service.send('PUT /s/settings/api/sandbox/oidc', {
      json: { clients: [{ clientId: 'mine', ...client }] },
    });
  const method = { token_endpoint_auth_method: 'tls_client_auth' };
  const unnamed = await put(method);
  expect([unnamed.status, unnamed.json.errors[0].field]).toEqual([400, 'clients.0']);
  const mine = { ...method, tls_client_auth_subject_dn: 'cn=Good  Client' };
  expect((await put(mine)).json.clients).toEqual([{ clientId: 'mine', ...mine }]);
  const config = await discover('/s/settings', 'mine');
  expect((await openid.clientCredentialsGrant(config)).token_type).toBe('bearer');
  await expect(
    openid.clientCredentialsGrant(await discover('/s/settings', 'mine', 'none')),
  ).rejects.toThrow();
});

test('a token that is bound to a certificate is valid only with it', async () => {
  const { json: registered } = await register('/s/bound', {
    tls_client_auth_subject_dn: 'CN=good client',
    tls_client_certificate_bound_access_tokens: true,
    grant_types: ['authorization_code', 'client_credentials'],
  });
  const client = { client_id: registered.client_id ?? '', use_mtls_endpoint_aliases: true };
  const issuer = new URL(issuerUrl('/s/bound'));
  const options = { [oauth.customFetch]: fetchWith('good') as never };
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, options),
  );
  const granted = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    oauth.TlsClientAuth(),
    { scope: 'profile' },
    options,
  );
  const { access_token: token } = await oauth.processClientCredentialsResponse(
    server,
    client,
    granted,
  );
  const { text: pem } = await service.send('GET /tls/client/good.pem');
  const thumbprint = hash('sha256', new X509Certificate(pem).raw, 'base64url');
  expect(decodeJwt(token).cnf).toEqual({ 'x5t#S256': thumbprint });
  const alias = `https://mtls.localhost:${port}/s/bound/oidc/certificates/localhost:${port}/oidc`;
  const me = (kind: string, url = alias) =>
    ask(kind, `${url}/api/me`, undefined, { Authorization: `Bearer ${token}` });
  expect((await me('good')).status).toBe(200);
  for (const rejected of [await me('none'), await me('expired'), await me('good', issuer.href)]) {
    expect(rejected.status).toBe(401);
    expect(rejected.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(rejected.json.message).toContain('bound to a certificate');
  }
  const known = await ask('good', `${alias}/introspect`, { ...client, token } as never);
  expect(known.json).toMatchObject({
    active: true,
    token_type: 'Bearer',
    cnf: { 'x5t#S256': thumbprint },
  });
});

test('a public client may have bound tokens, and must then send a certificate', async () => {
  const { json: client } = await register('/s/public', {
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    tls_client_certificate_bound_access_tokens: true,
  });
  const url = `${issuerUrl('/s/public', 'mtls.localhost')}/token`;
  const own = { client_id: client.client_id ?? '', redirect_uri: redirectUri };
  const verifier = openid.randomPKCECodeVerifier();
  const request = new URLSearchParams({
    ...own,
    response_type: 'code',
    scope: 'openid offline_access',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    auto: 'ada',
  });
  const base = issuerUrl('/s/public', 'mtls.localhost');
  const { headers } = await ask('none', `${base}/authorize?${request}`);
  const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
  const redeeming = { ...own, grant_type: 'authorization_code', code, code_verifier: verifier };
  expect((await ask('none', url, redeeming)).json.error).toBe('invalid_request');
  const { status, json } = await ask('good', url, redeeming);
  expect(status).toBe(200);
  const userinfo = (kind: string) =>
    ask(kind, `${base}/userinfo`, undefined, { Authorization: `Bearer ${json.access_token}` });
  expect([(await userinfo('good')).status, (await userinfo('foreign')).status]).toEqual([200, 401]);
  const refresh = { ...own, grant_type: 'refresh_token', refresh_token: json.refresh_token };
  expect((await ask('foreign', url, refresh)).json.error).toBe('invalid_grant');
  expect((await ask('good', url, refresh)).status).toBe(200);
});

test.each(['practice.example:8443', 'localhost:70000', 'LOCALHOST', 'localhost:443'])(
  '%s has no alias',
  async (authority) => {
    const url = `https://mtls.localhost:${port}/oidc/certificates/${authority}/oidc/token`;
    expect((await ask('good', url, { grant_type: 'client_credentials' })).status).toBe(404);
  },
);

test.each([
  ['', 'localhost', '/oidc/api/me'],
  ['/s/over-tls', 'localhost', '/oidc/api'],
  ['/s/over-tls', 'localhost', '/oidc/api/orders'],
])('over TLS the metadata of %s at %s%s is for that URL', async (prefix, host, path) => {
  const origin = `https://${host}:${port}`;
  const resource = new URL(`${origin}${prefix}${path}`);
  const found = await fetchWith('none')(
    `${origin}/.well-known/oauth-protected-resource${prefix}${path}`,
  );
  const metadata = await oauth.processResourceDiscoveryResponse(resource, found);
  expect(metadata.authorization_servers).toEqual([issuerUrl(prefix)]);
});

test('a challenge at an alias names the metadata of the URL at the alias', async () => {
  const alias = `https://mtls.localhost:${port}/s/over-tls/oidc/certificates/localhost:${port}`;
  const { headers } = await fetchWith('good')(`${alias}/oidc/api/me`);
  const [, document = ''] =
    /resource_metadata="([^"]*)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
  const found = await fetchWith('good')(document);
  const resource = new URL(`${alias}/oidc/api/me`);
  const metadata = await oauth.processResourceDiscoveryResponse(resource, found);
  expect(metadata.authorization_servers).toEqual([issuerUrl('/s/over-tls')]);
});
