/**
 * Attacks on authorization servers (RFC 9700 section 4, OWASP): each is tried, and fails. docs/oidc-attacks.md lists
 * them.
 */

import { readFileSync } from 'node:fs';
import { UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
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

const issuer = useIssuer('attacked');
const { service, prefix, issuerUrl } = issuer;
const markup = '"><script>alert(1)</script>';

const get = (path: string, fields: Fields = {}, headers: Fields = {}) =>
  service.send(`GET ${prefix}/oidc/${path}?${new URLSearchParams(fields)}`, { headers });

/** Every page of the issuer, with markup wherever a stranger can put some. */
async function allPages(): Promise<Readonly<Record<string, HttpResponse>>> {
  const { json: client } = await issuer.register({
    client_name: markup,
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    frontchannel_logout_uri: `http://localhost:4711/out?${encodeURIComponent(markup)}`,
    post_logout_redirect_uris: ['http://localhost:4711/'],
  });
  const { client_id } = client;
  const hostile = { state: markup, nonce: markup, login_hint: markup };
  const login = await issuer.authorize(usualRequest({ client_id, ...hostile }));
  const cookie = cookiesOf(login);
  const enter = (username: string, password: string) =>
    issuer.post('login', { ...fieldsOf(login), username, password }, { cookie });
  const code = await enter('alan', 'alan-secret');
  const consent = await enter('ada', 'ada-secret');
  const jar = `${cookie}; ${cookiesOf(consent)}`;
  const { json: device } = await issuer.post('device_authorization', { client_id });
  const form = usualRequest({ client_id, ...hostile, auto: 'ada', response_mode: 'form_post' });
  const posted = await issuer.authorize(form, { cookie: jar });
  const session = `${cookie}; ${cookiesOf(posted)}`;
  const asked = await get('logout', { state: markup }, { cookie: session });
  const out = { ...fieldsOf(asked), client_id, post_logout_redirect_uri: 'http://localhost:4711/' };
  return {
    login,
    wrong: await enter(markup, markup),
    code,
    consent,
    posted,
    asked,
    'asked with an address': await get('logout', out, { cookie: session }),
    'logged out': await issuer.post('logout', fieldsOf(asked), {
      cookie: `${session}; ${cookiesOf(asked)}`,
    }),
    'type in': await get('device'),
    'device login': await get('device', { user_code: device.user_code }),
    'device consent': await get('device', { user_code: device.user_code }, { cookie: jar }),
  };
}

async function rejectedPage(path: string, fields: Fields): Promise<Response> {
  const url = `${issuerUrl()}/${path}?${new URLSearchParams(fields)}`;
  return fetch(url, { headers: { Accept: 'text/html' }, redirect: 'manual' });
}

/** What is tried; an expectation in it says that it fails. */
const attacks: Readonly<Record<string, () => Promise<void>>> = {
  async 'an address that is nearly registered (4.1)'() {
    const near = ['/', '?a=b', '#a', '/../callback', '%2f', '@evil.example', '.evil.example'];
    const others = ['http://localhost.evil.example/callback', 'HTTP://localhost:4711/callback'];
    for (const uri of [...near.map((end) => redirectUri + end), ...others]) {
      const { status, headers } = await issuer.authorize(usualRequest({ redirect_uri: uri }));
      expect(status, uri).toBe(400);
      expect(headers).not.toHaveProperty('location');
    }
  },
  async 'a code that a Referer leaks (4.2)'() {
    const response = await issuer.authorize(usualRequest({ auto: 'ada' }));
    expect(response.headers['referrer-policy']).toBe('no-referrer');
    expect((await get('device')).headers['referrer-policy']).toBe('no-referrer');
  },
  async 'a token in an address, which browsers and logs keep (4.3)'() {
    const { access_token } = (await issuer.redeem(await issuer.code())).json;
    expect((await get('userinfo', { access_token })).status).toBe(401);
    expect((await get('api/me', { access_token })).status).toBe(401);
  },
  async 'a response of another issuer (4.4)'() {
    for (const auto of ['ada', 'deny']) {
      const response = responseIn(await issuer.authorize(usualRequest({ auto })));
      expect(response.get('iss')).toBe(issuerUrl());
    }
  },
  async 'a code put into the session of another (4.5)'() {
    const code = await issuer.code();
    const other = await issuer.redeem(code, { code_verifier: 'x'.repeat(43) });
    expect(other.json.error).toBe('invalid_grant');
    const stranger = await issuer.redeem(code, { client_id: 'demo-spa' }, {});
    expect(stranger.json.error).toBe('invalid_grant');
  },
  async 'a token put into the response to a browser (4.6)'() {
    for (const response_type of ['token', 'id_token', 'code token', 'code id_token']) {
      const response = responseIn(
        await issuer.authorize(usualRequest({ response_type, auto: 'ada' })),
      );
      expect(response.get('error')).toBe('unsupported_response_type');
    }
  },
  async 'a form that another site sends (4.7)'() {
    const page = await issuer.authorize(usualRequest());
    const right: Fields = { ...fieldsOf(page), username: 'ada', password: 'ada-secret' };
    expect((await issuer.post('login', right)).status).toBe(403);
    const session = cookiesOf(await issuer.authorize(usualRequest({ auto: 'ada' })));
    const allowing = { request: right.request ?? '', answer: 'allow' };
    expect((await issuer.post('consent', allowing, { cookie: session })).status).toBe(403);
    expect(session).not.toContain('SameSite=None');
  },
  async 'PKCE left out on the way (4.8)'() {
    const names = ['code_challenge', 'code_challenge_method'];
    const stripped = without(usualRequest({ auto: 'ada' }), ...names);
    const code = responseIn(await issuer.authorize(stripped)).get('code') ?? '';
    expect((await issuer.redeem(code)).json.error).toBe('invalid_grant');
    const spa = responseIn(await issuer.authorize({ ...stripped, client_id: 'demo-spa' }));
    expect(spa.get('error')).toBe('invalid_request');
  },
  async 'a token used at another resource (4.9)'() {
    const fields = { grant_type: 'client_credentials', resource: `${issuerUrl()}/api/me` };
    const { json } = await issuer.token(fields, asService);
    expect((await issuer.get('api/me', json.access_token)).status).toBe(200);
    expect((await issuer.get('api/orders', json.access_token)).status).toBe(401);
  },
  async 'a stolen token that is bound to a key (4.10)'() {
    const key = dpopKey();
    const prove = async (nonce?: unknown) => ({
      ...asService,
      DPoP: await key.proof(`POST ${issuerUrl()}/token`, { nonce }),
    });
    const own = { grant_type: 'client_credentials' };
    const asked = await issuer.token(own, await prove());
    const { json } = await issuer.token(own, await prove(asked.headers['dpop-nonce']));
    expect((await issuer.get('api/me', json.access_token)).status).toBe(401);
  },
  async 'the issuer as a redirector (4.11)'() {
    const uri = 'https://evil.example/';
    for (const [path, fields] of [
      ['authorize', usualRequest({ redirect_uri: uri, prompt: 'none' })],
      ['authorize', usualRequest({ client_id: 'nobody', redirect_uri: uri })],
      ['authorize', { client_id: 'demo-web', request: 'a.b.c', redirect_uri: uri }],
      ['authorize', { client_id: 'demo-web', request_uri: uri, redirect_uri: uri }],
      ['logout', { post_logout_redirect_uri: uri, client_id: 'demo-web' }],
      ['logout', { post_logout_redirect_uri: uri }],
      ['device', { user_code: uri }],
    ] as const) {
      const response = await rejectedPage(path, fields);
      expect(response.status).toBe(400);
      expect(response.headers.has('location')).toBe(false);
    }
  },
  async 'a password that a browser posts on (4.12)'() {
    const request = usualRequest({ scope: 'openid orders' });
    const page = await issuer.authorize(request);
    const cookie = cookiesOf(page);
    const right = { ...fieldsOf(page), username: 'grace', password: 'grace-secret' };
    const consent = await issuer.post('login', right, { cookie });
    const jar = { cookie: `${cookie}; ${cookiesOf(consent)}` };
    const done = await issuer.post('consent', { ...fieldsOf(consent), answer: 'allow' }, jar);
    expect(done.status).toBe(303);
  },
  async 'headers of a proxy that there is not (4.13)'() {
    const forged = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
    const { json } = await get('.well-known/openid-configuration', {}, forged);
    expect(json.issuer).toBe(issuerUrl());
  },
  async 'a refresh token that was copied (4.14)'() {
    const { json } = await issuer.redeem(await issuer.code({ scope: 'openid offline_access' }));
    const refresh = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
    const next = (await issuer.token(refresh)).json;
    expect((await issuer.token(refresh)).json.error).toBe('invalid_grant');
    const last = { grant_type: 'refresh_token', refresh_token: next.refresh_token };
    expect((await issuer.token(last)).json.error).toBe('invalid_grant');
    expect((await issuer.get('userinfo', next.access_token)).status).toBe(401);
  },
  async 'a client under the name of a user (4.15)'() {
    const { json } = await issuer.register({
      client_id: 'ada',
      redirect_uris: ['https://app.example/callback'],
    });
    expect(json.client_id).toMatch(/^ocl_/);
  },
  async 'a page in a frame (4.16)'() {
    const rejected = await rejectedPage('authorize', {});
    expect(rejected.headers.get('x-frame-options')).toBe('DENY');
    for (const [name, { headers, status }] of Object.entries(await allPages())) {
      expect(status, name).toBe(200);
      expect(headers['x-frame-options'], name).toBe('DENY');
      expect(headers['content-security-policy'], name).toContain("frame-ancestors 'none'");
    }
  },
  async 'a response by messages between windows (4.17)'() {
    const request = usualRequest({ response_mode: 'web_message', auto: 'ada' });
    expect(responseIn(await issuer.authorize(request)).get('error')).toBe('invalid_request');
  },
  async 'markup in what a page shows'() {
    for (const [name, { headers, text }] of Object.entries(await allPages())) {
      expect(text, name).not.toContain('<script>alert');
      const policy = headers['content-security-policy'];
      expect(policy, name).toContain("default-src 'none'");
      expect(policy, name).not.toContain('unsafe');
    }
    const rejected = await rejectedPage('device', { user_code: markup });
    expect(await rejected.text()).not.toContain('<script>alert');
  },
  async 'the issuer as a caller of addresses'() {
    const metadata = { redirect_uris: [redirectUri], jwks_uri: `${service.url}/called` };
    const method = { ...metadata, token_endpoint_auth_method: 'private_key_jwt' };
    const { json } = await issuer.register(method);
    expect(json.error).toBe('invalid_client_metadata');
    const request_uri = `${service.url}/called`;
    const response = responseIn(await issuer.authorize(usualRequest({ request_uri })));
    expect(response.get('error')).toBe('request_uri_not_supported');
  },
  async 'a JWT without a signature'() {
    const unsigned = new UnsecuredJWT({ ...usualRequest(), iss: 'demo-web', aud: issuerUrl() })
      .setExpirationTime('1 minute')
      .encode();
    const response = responseIn(await issuer.authorize(usualRequest({ request: unsigned })));
    expect(response.get('error')).toBe('invalid_request_object');
    expect((await issuer.get('api/me', unsigned)).status).toBe(401);
    const proof = { ...asWeb, DPoP: unsigned };
    const rejected = await issuer.redeem(await issuer.code(), {}, proof);
    expect(rejected.json.error).toBe('invalid_dpop_proof');
  },
};

test.each(Object.entries(attacks))('%s fails', async (_name, attack) => attack());

test('the page lists these attacks', () => {
  const page = readFileSync('docs/oidc-attacks.md', 'utf8');
  const rows = [...page.matchAll(/^\| ([^|]+?) \|/gm)].map(([, name]) => name);
  expect(rows.slice(2)).toEqual(Object.keys(attacks));
});
