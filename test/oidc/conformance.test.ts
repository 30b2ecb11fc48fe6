/**
 * The modules of the OpenID conformance suite that need no call from the issuer: the plans basic,
 * form post, config and dynamic, and FAPI 2's requirements for PAR and DPoP.
 * docs/oidc-conformance.md lists them.
 */

import { readFileSync } from 'node:fs';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import {
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
import { fapiModules } from './fapi-modules.js';

const issuer = useIssuer('conformance');
const { service, prefix, issuerUrl } = issuer;
const secret = 'demo-web-secret-of-32-characters';

/** A request as the plans send it: without PKCE, unless a module is about that. */
const plain = (more: Fields = {}) =>
  without(usualRequest({ nonce: 'n-1', ...more }), 'code_challenge', 'code_challenge_method');

/** The parameters that a browser returns, by a redirect or by the form that it must send. */
function callbackParams(response: HttpResponse, mode: string): URLSearchParams {
  if (mode !== 'form_post') return responseIn(response);
  expect([response.status, response.headers['content-type']]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  return new URLSearchParams(fieldsOf(response));
}

interface Grant {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly cookie: string;
}

function flowBy(mode: string) {
  const ask = async (more: Fields = {}, headers: Fields = {}) => {
    const response = await issuer.authorize(plain({ response_mode: mode, ...more }), headers);
    return { response, cookie: cookiesOf(response) };
  };
  const authorized = async (more: Fields = {}, headers: Fields = {}) => {
    const { response, cookie } = await ask(more, headers);
    return { params: callbackParams(response, mode), cookie: [headers.cookie, cookie].join('; ') };
  };
  const redeem = (code: string) =>
    issuer.token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
  const logIn = async (more: Fields = {}, headers: Fields = {}): Promise<Grant> => {
    const { params, cookie } = await authorized({ auto: 'ada', ...more }, headers);
    expect(params.get('state')).toBe('xyz');
    expect(params.get('iss')).toBe(issuerUrl());
    const { status, json } = await redeem(params.get('code') ?? '');
    expect(status).toBe(200);
    return { ...json, claims: decodeJwt(json.id_token), cookie };
  };
  const userinfo = async (more: Fields = {}) => {
    const { access_token: token } = await logIn(more);
    return (await issuer.get('userinfo', token)).json;
  };
  return { ask, authorized, redeem, logIn, userinfo };
}

type Modules = Readonly<Record<string, () => Promise<void>>>;

function basicModules(mode: string): Modules {
  const { ask, authorized, redeem, logIn, userinfo } = flowBy(mode);
  const scope = (asked: string, ...names: readonly string[]) => ({
    [`oidcc-scope-${asked}`]: async () => {
      const scopes = asked === 'all' ? 'openid profile email address phone' : `openid ${asked}`;
      const claims = await userinfo({ scope: scopes });
      for (const name of names) expect(claims).toHaveProperty(name);
    },
  });
  const succeeds = (more: Fields) => async () => {
    expect((await logIn(more)).claims).toMatchObject({ nonce: 'n-1', aud: 'demo-web' });
  };
  const bearer = async () => (await logIn()).access_token;

  return {
    'oidcc-server': async () => {
      const { claims } = await logIn();
      expect(claims).toMatchObject({ iss: issuerUrl(), aud: 'demo-web', sub: 'ada', nonce: 'n-1' });
    },
    'oidcc-response-type-missing': async () => {
      const request = without(plain({ response_mode: mode }), 'response_type');
      const response = await issuer.authorize(request);
      expect(callbackParams(response, mode).get('error')).toBe('invalid_request');
    },
    'oidcc-idtoken-signature': async () => {
      const { id_token } = await logIn();
      const { json } = await service.send(`GET ${prefix}/oidc/jwks`);
      await jwtVerify(id_token, createLocalJWKSet(json), { issuer: issuerUrl() });
    },
    'oidcc-userinfo-get': async () => {
      expect(await userinfo()).toMatchObject({ sub: 'ada' });
    },
    'oidcc-userinfo-post-header': async () => {
      const headers = { Authorization: `Bearer ${await bearer()}` };
      expect((await issuer.post('userinfo', {}, headers)).json.sub).toBe('ada');
    },
    'oidcc-userinfo-post-body': async () => {
      const { json } = await issuer.post('userinfo', { access_token: await bearer() });
      expect(json.sub).toBe('ada');
    },
    'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': async () => {
      const request = without(plain({ response_mode: mode, auto: 'ada' }), 'nonce');
      const params = callbackParams(await issuer.authorize(request), mode);
      const { json } = await redeem(params.get('code') ?? '');
      expect(decodeJwt(json.id_token)).not.toHaveProperty('nonce');
    },
    ...scope('profile', 'name', 'family_name', 'updated_at'),
    ...scope('email', 'email', 'email_verified'),
    ...scope('address', 'address'),
    ...scope('phone', 'phone_number', 'phone_number_verified'),
    ...scope('all', 'name', 'email', 'address', 'phone_number'),
    'oidcc-display-page': succeeds({ display: 'page' }),
    'oidcc-display-popup': succeeds({ display: 'popup' }),
    'oidcc-prompt-login': async () => {
      const { cookie } = await logIn();
      const again = await ask({ prompt: 'login' }, { cookie });
      expect(again.response.text).toContain('<h1>Log in</h1>');
    },
    'oidcc-prompt-none-not-logged-in': async () => {
      const { params } = await authorized({ prompt: 'none' });
      expect(params.get('error')).toBe('login_required');
    },
    'oidcc-prompt-none-logged-in': async () => {
      const { cookie, claims } = await logIn();
      const { params } = await authorized({ prompt: 'none' }, { cookie });
      const { json } = await redeem(params.get('code') ?? '');
      const { sub, auth_time } = decodeJwt(json.id_token);
      expect([sub, auth_time]).toEqual([claims.sub, claims.auth_time ?? auth_time]);
    },
    'oidcc-max-age-1': async () => {
      const { cookie } = await logIn();
      await issuer.setClock(2);
      try {
        const again = await ask({ max_age: '1' }, { cookie });
        expect(again.response.text).toContain('<h1>Log in</h1>');
      } finally {
        await issuer.setClock(0);
      }
    },
    'oidcc-max-age-10000': async () => {
      const { cookie } = await logIn();
      const { params } = await authorized({ max_age: '10000', prompt: 'none' }, { cookie });
      const { json } = await redeem(params.get('code') ?? '');
      expect(decodeJwt(json.id_token).auth_time).toEqual(expect.any(Number));
    },
    'oidcc-ensure-request-with-unknown-parameter-succeeds': succeeds({ extra: 'foobar' }),
    'oidcc-id-token-hint': async () => {
      const { cookie, id_token } = await logIn();
      const hint = { prompt: 'none', id_token_hint: id_token };
      expect((await authorized(hint, { cookie })).params.get('code')).toBeTruthy();
      expect((await authorized(hint)).params.get('error')).toBe('login_required');
    },
    'oidcc-login-hint': async () => {
      expect((await ask({ login_hint: 'grace' })).response.text).toContain('value="grace"');
    },
    'oidcc-ui-locales': succeeds({ ui_locales: 'se' }),
    'oidcc-claims-locales': succeeds({ claims_locales: 'se' }),
    'oidcc-ensure-request-with-acr-values-succeeds': async () => {
      const { json } = await service.send(`GET ${prefix}/oidc/.well-known/openid-configuration`);
      const [acr = ''] = json.acr_values_supported as string[];
      expect((await logIn({ acr_values: acr })).claims.acr).toBe(acr);
    },
    'oidcc-codereuse': async () => {
      const code = (await authorized({ auto: 'ada' })).params.get('code') ?? '';
      expect((await redeem(code)).status).toBe(200);
      const again = await redeem(code);
      expect([again.status, again.json.error]).toEqual([400, 'invalid_grant']);
    },
    'oidcc-codereuse-30seconds': async () => {
      const code = (await authorized({ auto: 'ada' })).params.get('code') ?? '';
      const { json } = await redeem(code);
      await issuer.setClock(30);
      try {
        expect((await redeem(code)).json.error).toBe('invalid_grant');
        expect((await issuer.get('userinfo', json.access_token)).status).toBe(401);
      } finally {
        await issuer.setClock(0);
      }
    },
    'oidcc-ensure-registered-redirect-uri': async () => {
      const request = plain({ response_mode: mode, redirect_uri: 'http://localhost:4711/other' });
      const { status, headers } = await issuer.authorize(request);
      expect([status, headers.location]).toEqual([400, undefined]);
    },
    'oidcc-ensure-post-request-succeeds': async () => {
      const response = await issuer.post('authorize', plain({ response_mode: mode, auto: 'ada' }));
      expect(callbackParams(response, mode).get('code')).toBeTruthy();
    },
    'oidcc-server-client-secret-post': async () => {
      const code = (await authorized({ auto: 'ada' })).params.get('code') ?? '';
      const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
      const own = { client_id: 'demo-web', client_secret: secret };
      expect((await issuer.token({ ...fields, ...own }, {})).status).toBe(200);
    },
    'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': async () => {
      const request = new UnsecuredJWT(plain()).encode();
      const { params } = await authorized({ request });
      expect(params.get('error')).toBe('invalid_request_object');
    },
    'oidcc-ensure-request-object-with-redirect-uri': async () => {
      const strange = { redirect_uri: 'http://localhost:4711/other' };
      const request = new UnsecuredJWT(plain(strange)).encode();
      const { params } = await authorized({ request });
      expect(params.get('error')).toBe('invalid_request_object');
    },
    'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': async () => {
      const { params } = await authorized({ request_uri: 'https://client.example/request' });
      expect(params.get('error')).toBe('request_uri_not_supported');
    },
    'oidcc-claims-essential': async () => {
      const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
      expect(await userinfo({ scope: 'openid', claims })).toHaveProperty('name');
    },
    'oidcc-refresh-token': async () => {
      const lasting = { scope: 'openid offline_access', prompt: 'consent' };
      const { refresh_token, claims } = await logIn(lasting);
      const { status, json } = await issuer.token({ grant_type: 'refresh_token', refresh_token });
      expect(status).toBe(200);
      expect(json.access_token).toBeTruthy();
      if (json.id_token !== undefined) {
        expect(decodeJwt(json.id_token)).toMatchObject({ sub: claims.sub, iss: claims.iss });
      }
    },
    'oidcc-ensure-request-with-valid-pkce-succeeds': async () => {
      const request = usualRequest({ response_mode: mode, auto: 'ada' });
      const params = callbackParams(await issuer.authorize(request), mode);
      expect((await issuer.redeem(params.get('code') ?? '')).status).toBe(200);
    },
  };
}

/** Registers a client and logs in with it. */
async function registered(metadata: object) {
  const { status, json: client } = await issuer.register({
    redirect_uris: [redirectUri],
    ...metadata,
  });
  return { status, client };
}

async function logInAs(client: Fields, redirect = redirectUri) {
  const { client_id = '', client_secret = '' } = client;
  const response = await issuer.authorize(
    plain({ client_id, redirect_uri: redirect, auto: 'ada' }),
  );
  const code = new URL(response.headers.location ?? '').searchParams.get('code') ?? '';
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  const fields = { grant_type: 'authorization_code', code, redirect_uri: redirect };
  return issuer.token(fields, { Authorization: `Basic ${basic}` });
}

const shownOnLogin = (member: string) => async () => {
  const address = 'https://client.example/about';
  const { status, client } = await registered({ [member]: address });
  expect([status, client[member]]).toEqual([201, address]);
  const { client_id } = client;
  const login = await issuer.authorize(plain({ client_id }));
  const cookie = cookiesOf(login);
  const entered = { ...fieldsOf(login), username: 'ada', password: 'ada-secret' };
  const consent = await issuer.post('login', entered, { cookie });
  expect(consent.text).toContain(`<a href="${address}">`);
};

const withQuery = `${redirectUri}?foo=bar`;

const configModules: Modules = {
  'oidcc-discovery-endpoint-verification': async () => {
    const { json } = await service.send(`GET ${prefix}/oidc/.well-known/openid-configuration`);
    expect(json).toMatchObject({
      issuer: issuerUrl(),
      response_types_supported: expect.arrayContaining(['code']),
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      claims_parameter_supported: true,
    });
    const { json: set } = await service.send(`GET ${prefix}/oidc/jwks`);
    for (const key of set.keys) expect(key).not.toHaveProperty('d');
  },
};

const dynamicModules: Modules = {
  'oidcc-idtoken-rs256': async () => {
    const { client } = await registered({ id_token_signed_response_alg: 'RS256' });
    const { json } = await logInAs(client);
    expect(decodeProtectedHeader(json.id_token).alg).toBe('RS256');
  },
  'oidcc-userinfo-rs256': async () => {
    const { client } = await registered({ userinfo_signed_response_alg: 'RS256' });
    const { json } = await logInAs(client);
    const { headers, text } = await issuer.get('userinfo', json.access_token);
    expect(headers['content-type']).toBe('application/jwt');
    expect(decodeJwt(text)).toMatchObject({ iss: issuerUrl(), aud: client.client_id, sub: 'ada' });
  },
  'oidcc-redirect-uri-query-OK': async () => {
    const { client } = await registered({ redirect_uris: [withQuery] });
    const request = plain({ client_id: client.client_id, redirect_uri: withQuery, auto: 'ada' });
    const { headers } = await issuer.authorize(request);
    expect(new URL(headers.location ?? '').searchParams.get('foo')).toBe('bar');
  },
  'oidcc-redirect-uri-query-mismatch': async () => {
    const { client } = await registered({ redirect_uris: [withQuery] });
    const request = plain({ client_id: client.client_id, redirect_uri: `${redirectUri}?foo=baz` });
    expect((await issuer.authorize(request)).status).toBe(400);
  },
  'oidcc-redirect-uri-query-added': async () => {
    const { client } = await registered({});
    const request = plain({ client_id: client.client_id, redirect_uri: withQuery });
    expect((await issuer.authorize(request)).status).toBe(400);
  },
  'oidcc-ensure-redirect-uri-in-authorization-request': async () => {
    const { status, headers } = await issuer.authorize(without(plain(), 'redirect_uri'));
    expect([status, headers.location]).toEqual([400, undefined]);
  },
  'oidcc-registration-logo-uri': shownOnLogin('logo_uri'),
  'oidcc-registration-policy-uri': shownOnLogin('policy_uri'),
  'oidcc-registration-tos-uri': shownOnLogin('tos_uri'),
  'oidcc-server-rotate-keys': async () => {
    const { json: before } = await service.send(`GET ${prefix}/oidc/jwks`);
    expect((await service.send(`POST ${prefix}/oidc/keys/rotate`)).status).toBe(200);
    const { json: after } = await service.send(`GET ${prefix}/oidc/jwks`);
    const kids = (set: { keys: { kid: string }[] }) => set.keys.map(({ kid }) => kid);
    expect(kids(after).length).toBe(2 * kids(before).length);
    expect(kids(after)).toEqual(expect.arrayContaining(kids(before)));
  },
};

const plans: Readonly<Record<string, Modules>> = {
  basic: basicModules('query'),
  'form post': basicModules('form_post'),
  config: configModules,
  dynamic: dynamicModules,
  'FAPI 2': fapiModules(issuer),
};

describe.each(Object.entries(plans))('%s', (_plan, modules) => {
  test.each(Object.entries(modules))('%s', async (_name, run) => run());
});

test('the page lists these modules', () => {
  const page = readFileSync('docs/oidc-conformance.md', 'utf8');
  const listed = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
  const { 'form post': _same, ...others } = plans;
  expect(listed).toEqual(Object.values(others).flatMap((modules) => Object.keys(modules)));
});
