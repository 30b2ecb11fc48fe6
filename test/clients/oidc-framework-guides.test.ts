/**
 * Guides for frameworks that do not run here: the service accepts their settings and the requests
 * that Spring, ASP.NET Core, Auth.js and oauth2-proxy send with the configuration of the guide.
 */

import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fencedBlocks, savedFiles } from '../docs/markdown.js';
import { readText } from '../docs/pages.js';
import { basicHeader } from '../support/demo-credentials.js';
import { challenge, type Fields, verifier } from '../support/oidc.js';
import { useService } from '../support/service.js';

const audience = 'https://my-api.example';

/** Reads the files that a guide tells its reader to save. */
function filesOf(page: string): ReadonlyMap<string, string> {
  const files = savedFiles(readText(`docs/oidc/${page}.md`));
  return new Map(files.map(({ name, text }) => [name, text]));
}

interface Login {
  readonly issuer: string;
  readonly redirectUri: string;
  readonly scope: string;
  /** Parameters that this framework sends beside the usual ones. */
  readonly more?: Fields;
}

interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
}

type Authenticate = (issuer: string, path: string, fields: Fields) => Promise<Response>;

const client = { client_id: 'my-app', client_secret: 'hush' };

const byBasic: Authenticate = (issuer, path, fields) =>
  fetch(`${issuer}/${path}`, {
    method: 'POST',
    headers: { Authorization: basicHeader(client.client_id, client.client_secret) },
    body: new URLSearchParams(fields),
  });

const byPost: Authenticate = (issuer, path, fields) =>
  fetch(`${issuer}/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, ...client }),
  });

const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };

function requestOf({ redirectUri, scope, more }: Login): Fields {
  const usual = { response_type: 'code', client_id: client.client_id, state: 'a state' };
  return { ...usual, scope, redirect_uri: redirectUri, ...more };
}

/** Follows the issuer's redirects as mary, without a page. */
async function follow(issuer: string, query: Fields): Promise<URL> {
  const search = new URLSearchParams({ ...query, auto: 'mary' });
  const response = await fetch(`${issuer}/authorize?${search}`, { redirect: 'manual' });
  expect(response.status, await response.text()).toBe(303);
  return new URL(response.headers.get('location') ?? '');
}

async function redeem(login: Login, back: URL, authenticate: Authenticate): Promise<Tokens> {
  expect(back.origin + back.pathname).toBe(login.redirectUri);
  const hasPkce = login.more?.code_challenge !== undefined;
  const response = await authenticate(login.issuer, 'token', {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: login.redirectUri,
    ...(hasPkce && { code_verifier: verifier }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Tokens;
}

async function verified(issuer: string, token: string, expected: object): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  return (await jwtVerify(token, keys, { issuer, algorithms: ['RS256'], ...expected })).payload;
}

/** Checks each guide's promises about the tokens. */
async function checkTokens({ issuer, more }: Login, tokens: Tokens): Promise<void> {
  const { typ = 'JWT' } = decodeProtectedHeader(tokens.id_token);
  expect(typ).toBe('JWT');
  const user = await verified(issuer, tokens.id_token, { audience: client.client_id });
  expect(user).toMatchObject({ sub: 'mary', name: 'Mary' });
  expect(user.nonce).toBe(more?.nonce);
  const expected = { audience, typ: 'at+jwt', requiredClaims: ['sub', 'iat', 'exp', 'jti'] };
  const access = await verified(issuer, tokens.access_token, expected);
  expect(access).toMatchObject({ client_id: client.client_id, tier: 'gold' });
  expect(String(access.scope).split(' ')).toContain('api.read');
}

async function logOut(issuer: string, query: Fields): Promise<string | null> {
  const search = new URLSearchParams(query);
  const response = await fetch(`${issuer}/logout?${search}`, { redirect: 'manual' });
  return response.headers.get('location');
}

const service = useService();

/** Points the file at the service of this test. */
const placed = (text = '') => text.replaceAll('http://localhost:3000', service.url);

async function configure(sandbox: string, settings = ''): Promise<void> {
  const json = JSON.parse(settings);
  const { status, text } = await service.send(`PUT /s/${sandbox}/api/sandbox/oidc`, { json });
  expect(status, text).toBe(200);
}

/** Reads discovery; frameworks compare its issuer with their setting. */
async function discover(issuer: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  const document = (await response.json()) as Record<string, unknown>;
  expect(document.issuer).toBe(issuer);
  return document;
}

describe('Spring Security', () => {
  const files = filesOf('spring');
  const readYaml = (name: string) => parse(placed(files.get(name)));
  const registrationId = 'practice';

  function loginOf(more: Fields): Login {
    const { server, spring } = readYaml('application.yml');
    const { registration, provider } = spring.security.oauth2.client;
    expect(Object.keys(registration)).toEqual([registrationId]);
    const { 'client-id': id, 'client-secret': secret, scope } = registration[registrationId];
    expect({ client_id: id, client_secret: secret }).toEqual(client);
    return {
      issuer: provider[registrationId]['issuer-uri'],
      redirectUri: `http://localhost:${server.port}/login/oauth2/code/${registrationId}`,
      scope: scope.split(', ').join(' '),
      more,
    };
  }

  test.each([
    ['before PKCE was the default', { nonce: 'a nonce' }],
    ['with PKCE', { nonce: 'a nonce', ...pkce }],
  ])('logs in, and gets tokens that its validators accept, %s', async (_name, more) => {
    await configure('spring', files.get('oidc.json'));
    const login = loginOf(more);
    const { token_endpoint_auth_methods_supported: methods } = await discover(login.issuer);
    expect(methods).toContain('client_secret_basic');
    const back = await follow(login.issuer, requestOf(login));
    const tokens = await redeem(login, back, byBasic);
    await checkTokens(login, tokens);
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const userinfo = await fetch(`${login.issuer}/userinfo`, { headers });
    expect(await userinfo.json()).toMatchObject({ sub: 'mary', name: 'Mary' });
    const out = {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: 'http://localhost:8080',
    };
    expect(await logOut(login.issuer, out)).toBe('http://localhost:8080');
  });

  test('protects an API that checks the issuer and the audience of the tokens', () => {
    const { jwt } = readYaml('api.yml').spring.security.oauth2.resourceserver;
    expect(jwt).toEqual({ 'issuer-uri': loginOf({}).issuer, audiences: audience });
    const java = fencedBlocks(readText('docs/oidc/spring.md')).filter(
      ({ info }) => info === 'java',
    );
    expect(java.map(({ text }) => text).join()).toContain(
      `audience("${audience}").clientId("my-app")`,
    );
  });

  test('introspects a token', async () => {
    await configure('spring', files.get('oidc.json'));
    const login = loginOf(pkce);
    const tokens = await redeem(login, await follow(login.issuer, requestOf(login)), byBasic);
    const { opaquetoken } = readYaml('introspection.yml').spring.security.oauth2.resourceserver;
    expect(opaquetoken['introspection-uri']).toBe(`${login.issuer}/introspect`);
    const response = await byBasic(login.issuer, 'introspect', { token: tokens.access_token });
    expect(await response.json()).toMatchObject({ active: true, aud: audience, tier: 'gold' });
  });
});

describe('ASP.NET Core', () => {
  const files = filesOf('aspnet-core');
  const telemetry = { 'x-client-SKU': 'ID_NET8_0', 'x-client-ver': '8.0.1.0' };

  function loginOf(more: Fields): Login & { readonly urls: string } {
    const { Oidc, Urls } = JSON.parse(placed(files.get('appsettings.json')));
    const { Authority, ClientId, ClientSecret, ResponseType } = Oidc;
    expect({ client_id: ClientId, client_secret: ClientSecret }).toEqual(client);
    expect(ResponseType).toBe('code');
    expect(readText('docs/oidc/aspnet-core.md')).toContain('options.Scope.Add("api.read")');
    const redirectUri = `${Urls}/signin-oidc`;
    const scope = 'openid profile api.read';
    return { issuer: Authority, redirectUri, scope, urls: Urls, more: { ...more, ...telemetry } };
  }

  test('logs in with a request in the query, and logs out', async () => {
    await configure('aspnet', files.get('oidc.json'));
    const login = loginOf({ nonce: 'a nonce', ...pkce });
    await discover(login.issuer);
    const tokens = await redeem(login, await follow(login.issuer, requestOf(login)), byPost);
    await checkTokens(login, tokens);
    const target = `${login.urls}/signout-callback-oidc`;
    const out = {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: target,
      state: 'a state',
    };
    expect(await logOut(login.issuer, out)).toBe(`${target}?state=a+state`);
  });

  test('pushes its request, without the setting auto', async () => {
    await configure('aspnet', files.get('oidc.json'));
    const login = loginOf({ nonce: 'a nonce', ...pkce });
    const { issuer } = login;
    const { pushed_authorization_request_endpoint: endpoint } = await discover(issuer);
    expect(endpoint).toBe(`${issuer}/par`);
    const push = async (more: Fields = {}) => {
      const pushed = await byPost(issuer, 'par', { ...requestOf(login), ...more });
      expect(pushed.status).toBe(201);
      const { request_uri } = (await pushed.json()) as { request_uri: string };
      return { client_id: client.client_id, request_uri };
    };
    await checkTokens(login, await redeem(login, await follow(issuer, await push()), byPost));
    const query = new URLSearchParams(await push({ auto: 'mary' }));
    const page = await fetch(`${issuer}/authorize?${query}`, { redirect: 'manual' });
    expect(page.status).toBe(200);
  });

  test('gets the response in a form by default', async () => {
    await configure('aspnet', files.get('oidc.json'));
    const login = loginOf({ response_mode: 'form_post', ...pkce });
    const query = new URLSearchParams({ ...requestOf(login), auto: 'mary' });
    const page = await (await fetch(`${login.issuer}/authorize?${query}`)).text();
    expect(page).toContain(`action="${login.redirectUri}"`);
  });
});

describe('Auth.js, oauth2-proxy and Docker Compose', () => {
  const files = filesOf('containers');

  test('Auth.js logs in with PKCE only', async () => {
    await configure('my-app', files.get('oidc.json'));
    const program = placed(files.get('auth.ts'));
    const issuer = `${service.url}/s/my-app/oidc`;
    expect(program).toContain(`issuer: '${issuer}'`);
    const [, id = ''] = /\bid: '(.*)'/.exec(program) ?? [];
    const [, scope = ''] = /scope: '(.*)'/.exec(program) ?? [];
    const redirectUri = `http://localhost:3001/api/auth/callback/${id}`;
    const login = { issuer, redirectUri, scope, more: pkce };
    const { state: _state, ...request } = requestOf(login);
    await discover(issuer);
    await checkTokens(login, await redeem(login, await follow(issuer, request), byBasic));
  });

  test('oauth2-proxy logs in with the flags of its command', async () => {
    await configure('my-app', files.get('oidc.json'));
    const blocks = fencedBlocks(readText('docs/oidc/containers.md'));
    const command = blocks.find(({ text }) => text.startsWith('oauth2-proxy'))?.text ?? '';
    const flags = Object.fromEntries(
      [...placed(command).matchAll(/--([\w-]+)=(?:'([^']*)'|(\S+))/g)].map(
        ([, name, quoted, plain]) => [name, quoted ?? plain],
      ),
    );
    expect({ client_id: flags['client-id'], client_secret: flags['client-secret'] }).toEqual(
      client,
    );
    expect(flags['cookie-secret']).toHaveLength(32);
    const login = {
      issuer: flags['oidc-issuer-url'] ?? '',
      redirectUri: flags['redirect-url'] ?? '',
      scope: flags.scope ?? '',
      more: { approval_prompt: 'force', nonce: 'a nonce', ...pkce },
    };
    await discover(login.issuer);
    const tokens = await redeem(login, await follow(login.issuer, requestOf(login)), byBasic);
    await checkTokens(login, tokens);
    const user = await verified(login.issuer, tokens.id_token, {});
    expect(user).toMatchObject({ email: 'mary@example.com', email_verified: true });
  });

  test('a client in a container has a working issuer and redirect URI', async () => {
    await configure('my-app', files.get('oidc.json'));
    const { services } = parse(files.get('compose.yaml') ?? '');
    const { BASE_URL } = services['practice.docker'].environment;
    const { OIDC_ISSUER, OIDC_REDIRECT_URI } = services['client.docker'].environment;
    expect(new URL(BASE_URL).hostname).toBe('practice.docker');
    expect(OIDC_ISSUER).toBe(`${BASE_URL}/s/my-app/oidc`);
    const issuer = `${service.url}/s/my-app/oidc`;
    const login = { issuer, redirectUri: OIDC_REDIRECT_URI, scope: 'openid profile api.read' };
    await checkTokens(login, await redeem(login, await follow(issuer, requestOf(login)), byBasic));
  });
});
