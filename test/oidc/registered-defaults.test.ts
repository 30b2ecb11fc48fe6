import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { basicHeader } from '../support/demo-credentials.js';
import {
  cookiesOf,
  type Fields,
  issuerAt,
  redirectUri,
  responseIn,
  useIssuer,
  usualRequest,
} from '../support/oidc.js';

const issuer = useIssuer('defaults');
const { service, prefix, register } = issuer;

async function registered(metadata: object, at: Pick<typeof issuer, 'register'> = issuer) {
  const { status, json } = await at.register({ redirect_uris: [redirectUri], ...metadata });
  expect(status, JSON.stringify(json)).toBe(201);
  return json;
}

function claimsIn(jwt: string) {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
}

describe('default_max_age', () => {
  /** Asks silently, `seconds` after a login, for a code of a client. */
  async function ask(metadata: object, seconds: number, more: Fields = {}) {
    await issuer.setClock(0);
    const client = await registered(metadata);
    const request = usualRequest({ client_id: client.client_id, scope: 'openid' });
    const first = await issuer.authorize({ ...request, auto: 'ada' });
    await issuer.setClock(seconds);
    const headers = { cookie: cookiesOf(first) };
    const again = await issuer.authorize({ ...request, prompt: 'none', ...more }, headers);
    return { client, result: responseIn(again) };
  }

  test.each([
    [60, 59, {}],
    [60, 61, { max_age: '100' }],
    [999_999_999, 3600, {}],
  ])('%d accepts a login %d seconds ago with %j', async (age, seconds, more) => {
    const { client, result } = await ask({ default_max_age: age }, seconds, more);
    const code = result.get('code') ?? '';
    const headers = { Authorization: basicHeader(client.client_id, client.client_secret) };
    const { json } = await issuer.redeem(code, {}, headers);
    const { auth_time: loggedInAt, iat } = claimsIn(json.id_token);
    expect(iat - loggedInAt).toBeGreaterThanOrEqual(seconds - 1);
    expect(iat - loggedInAt).toBeLessThan(seconds + 20);
  });

  test.each([
    [60, 61, {}],
    [0, 0, {}],
    [1000, 61, { max_age: '60' }],
  ])('%d requires a login after %d seconds with %j', async (age, seconds, more) => {
    const { result } = await ask({ default_max_age: age }, seconds, more);
    expect(result.get('error')).toBe('login_required');
  });

  test('and its companions are returned, also after a change', async () => {
    const metadata = {
      default_max_age: 60,
      require_auth_time: true,
      default_acr_values: ['mfa', 'pwd'],
    };
    const client = await registered(metadata);
    expect(client).toMatchObject(metadata);
    const headers = { Authorization: `Bearer ${client.registration_access_token}` };
    const path = `${prefix}/oidc/register/${client.client_id}`;
    expect((await service.send(`GET ${path}`, { headers })).json).toMatchObject(metadata);
    const json = { redirect_uris: [redirectUri], default_max_age: 0 };
    const changed = await service.send(`PUT ${path}`, { headers, json });
    expect(changed.json.default_max_age).toBe(0);
    expect(changed.json).not.toHaveProperty('default_acr_values');
  });

  test.each([-1, 1.5, '60', 'soon', true, null, 1e9, [60]])('of %j is rejected', async (age) => {
    const { status, json } = await register({ redirect_uris: [redirectUri], default_max_age: age });
    expect(status).toBe(400);
    expect(json.error).toBe('invalid_client_metadata');
    expect(json.error_description).toContain('default_max_age');
  });

  test('is checked by oauth4webapi in the ID token', async () => {
    await issuer.setClock(0);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const url = new URL(issuer.issuerUrl());
    const server = await oauth.processDiscoveryResponse(
      url,
      await oauth.discoveryRequest(url, insecure),
    );
    const registration = await oauth.dynamicClientRegistrationRequest(
      server,
      { redirect_uris: [redirectUri], default_max_age: 60 },
      insecure,
    );
    const client = await oauth.processDynamicClientRegistrationResponse(registration);
    expect(client.default_max_age).toBe(60);
    const verifier = oauth.generateRandomCodeVerifier();
    const code_challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const { client_id } = client;
    const request = usualRequest({ client_id, code_challenge, auto: 'ada' });
    const { headers } = await issuer.authorize(request);
    const callback = new URL(String(headers.location));
    const parameters = oauth.validateAuthResponse(server, client, callback, 'xyz');
    const auth = oauth.ClientSecretBasic(String(client.client_secret));
    const grant = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      parameters,
      redirectUri,
      verifier,
      insecure,
    );
    const result = await oauth.processAuthorizationCodeResponse(server, client, grant);
    expect(oauth.getValidatedIdTokenClaims(result)?.auth_time).toBeTypeOf('number');
  });
});

test('default_acr_values require the login that they name, unless the request names another', async () => {
  const client = await registered({ default_acr_values: ['mfa'] });
  const request = usualRequest({ client_id: client.client_id, scope: 'openid' });
  const first = await issuer.authorize({ ...request, auto: 'ada', acr_values: 'pwd' });
  const headers = { cookie: cookiesOf(first) };
  expect((await issuer.authorize(request, headers)).text).toContain('<h1>Log in</h1>');
  const enough = await issuer.authorize({ ...request, acr_values: 'pwd' }, headers);
  expect(responseIn(enough).get('code')).toMatch(/^oac_/);
});

describe('a scope that the client did not register', () => {
  const device = 'urn:ietf:params:oauth:grant-type:device_code';
  const strict = issuerAt(service, '/s/strict');
  const setRule = (rule?: string) =>
    service.send('PUT /s/strict/api/sandbox/oidc', {
      json: rule === undefined ? {} : { unregisteredScopes: rule },
    });
  async function responsesTo(scope: string) {
    const client = await registered(
      { grant_types: ['authorization_code', device], scope: 'mcp:read profile' },
      strict,
    );
    const { client_id } = client;
    const headers = { Authorization: basicHeader(client_id, client.client_secret) };
    const request = usualRequest({ client_id, scope, auto: 'ada' });
    const pushed = await strict.post('par', usualRequest({ client_id, scope }), headers);
    const authorized = responseIn(await strict.authorize(request));
    const granted = authorized.has('code')
      ? (await strict.redeem(authorized.get('code') ?? '', {}, headers)).json
      : Object.fromEntries(authorized);
    const asDevice = await strict.post('device_authorization', { scope }, headers);
    return { granted, pushed: pushed.json, asDevice: asDevice.json };
  }

  test.each([
    ['mcp:read offline_access', 'offline_access'],
    ['openid mcp:read profile', 'openid'],
    ['mcp:read mcp:write', 'mcp:write'],
    ['mcp:read api.unknown', 'api.unknown'],
  ])('is invalid_scope by the setting error: %s', async (scope, other) => {
    expect((await setRule('error')).json.unregisteredScopes).toBe('error');
    for (const response of Object.values(await responsesTo(scope))) {
      expect(response.error).toBe('invalid_scope');
      expect(response.error_description).toContain(`may not request ${other}.`);
    }
  });

  test.each([undefined, 'narrow'])('is omitted by the setting %s', async (rule) => {
    await setRule(rule);
    const { granted, pushed, asDevice } = await responsesTo('mcp:read offline_access');
    expect(granted.scope).toBe('mcp:read');
    expect(pushed).toHaveProperty('request_uri');
    expect(asDevice).toHaveProperty('device_code');
  });

  test.each(['mcp:read', 'profile mcp:read', 'profile'])('does not affect %s', async (scope) => {
    await setRule('error');
    const { granted } = await responsesTo(scope);
    expect(granted.scope.split(' ').sort()).toEqual(scope.split(' ').sort());
  });

  test('is an error at oauth4webapi', async () => {
    await setRule('error');
    const client = await registered({ scope: 'profile' }, strict);
    const { headers } = await strict.authorize(
      usualRequest({ client_id: client.client_id, scope: 'openid profile', auto: 'ada' }),
    );
    const server = { issuer: `${service.url}/s/strict/oidc` };
    const callback = new URL(String(headers.location));
    expect(() => oauth.validateAuthResponse(server, client, callback, 'xyz')).toThrow(
      expect.objectContaining({ error: 'invalid_scope' }),
    );
  });

  test.each(['deny', '', null, true])('has no setting %j', async (rule) => {
    const json = { unregisteredScopes: rule };
    const { status, json: body } = await service.send('PUT /s/strict/api/sandbox/oidc', { json });
    expect(status).toBe(400);
    expect(body.errors[0].field).toBe('unregisteredScopes');
  });
});
