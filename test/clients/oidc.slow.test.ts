/** The issuer with third-party libraries: openid-client and oauth4webapi. */

import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const redirectUri = 'http://127.0.0.1:4712/callback';
const insecure = { execute: [openid.allowInsecureRequests] };

const discover = (prefix: string, clientId: string, secret?: string) =>
  openid.discovery(new URL(`${service.url}${prefix}/oidc`), clientId, secret, undefined, insecure);

/** Follows the issuer's redirects as a browser does. */
async function follow(url: URL): Promise<URL> {
  const { status, headers } = await fetch(url, { redirect: 'manual' });
  expect(status).toBe(303);
  return new URL(headers.get('location') ?? '');
}

test('openid-client logs in with PKCE, nonce and state, refreshes, requests userinfo and logs out', async () => {
  const secret = 'demo-web-secret-of-32-characters';
  const config = await discover('/s/openid-client', 'demo-web', secret);
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const [expectedNonce, expectedState] = [openid.randomNonce(), openid.randomState()];
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile offline_access orders',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    nonce: expectedNonce,
    state: expectedState,
    max_age: '100',
    auto: 'grace',
  });
  const tokens = await openid.authorizationCodeGrant(config, await follow(url), {
    pkceCodeVerifier,
    expectedNonce,
    expectedState,
    maxAge: 100,
  });
  expect(tokens.claims()).toMatchObject({ sub: 'grace', aud: 'demo-web' });
  const userinfo = await openid.fetchUserInfo(config, tokens.access_token, 'grace');
  expect(userinfo).toMatchObject({ name: 'Grace Hopper', roles: ['user', 'admin'] });
  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(refreshed.claims()?.sub).toBe('grace');
  const known = await openid.tokenIntrospection(config, refreshed.access_token);
  expect(known).toMatchObject({ active: true, sub: 'grace' });
  await openid.tokenRevocation(config, refreshed.refresh_token ?? '');
  const gone = await openid.tokenIntrospection(config, refreshed.access_token);
  expect(gone).toEqual({ active: false });
  const out = openid.buildEndSessionUrl(config, {
    post_logout_redirect_uri: 'http://127.0.0.1:4712/',
    id_token_hint: tokens.id_token ?? '',
  });
  expect(String(await follow(out))).toBe('http://127.0.0.1:4712/');
});

test('openid-client registers itself, and signs with its key', async () => {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    { name: 'ECDSA', namedCurve: 'P-256' },
    true,
    ['sign', 'verify'],
  );
  const { kty = '', crv = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  const config = await openid.dynamicClientRegistration(
    new URL(`${service.url}/s/registering/oidc`),
    {
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'client_credentials'],
      token_endpoint_auth_method: 'private_key_jwt',
      id_token_signed_response_alg: 'ES256',
      jwks: { keys: [{ kty, crv, x, y, alg: 'ES256' }] },
    },
    openid.PrivateKeyJwt(privateKey),
    insecure,
  );
  const { access_token: token } = await openid.clientCredentialsGrant(config, { scope: 'orders' });
  const orders = new URL(`${service.url}/s/registering/oidc/api/orders`);
  const response = await openid.fetchProtectedResource(config, token, orders, 'GET');
  expect(response.status).toBe(200);
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid',
    auto: 'ada',
  });
  const tokens = await openid.authorizationCodeGrant(config, await follow(url));
  expect(tokens.claims()?.sub).toBe('ada');
});

test('oauth4webapi validates a JWT access token, and finds the issuer by the challenge', async () => {
  const options = { [oauth.allowInsecureRequests]: true };
  const resource = new URL(`${service.url}/s/by-challenge/oidc/api`);
  const found = await oauth.resourceDiscoveryRequest(resource, options);
  const metadata = await oauth.processResourceDiscoveryResponse(resource, found);
  const issuer = new URL(metadata.authorization_servers?.[0] ?? '');
  const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' });
  const server = await oauth.processDiscoveryResponse(issuer, discovered);
  const client = { client_id: 'demo-service' };
  const granted = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    oauth.ClientSecretJwt('demo-service-secret-of-32-letters'),
    { scope: 'orders' },
    options,
  );
  const tokens = await oauth.processClientCredentialsResponse(server, client, granted);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const request = new Request(`${resource}/orders`, { headers });
  const claims = await oauth.validateJwtAccessToken(server, request, resource.href, options);
  expect(claims).toMatchObject({ client_id: 'demo-service', scope: 'orders' });
});

test.each(['me', 'orders'])(
  'oauth4webapi finds the issuer of %s by its challenge, and gets a token for it',
  async (name) => {
    const options = { [oauth.allowInsecureRequests]: true };
    const resource = new URL(`${service.url}/s/by-address/oidc/api/${name}`);
    const { headers } = await fetch(resource);
    const [, document = ''] =
      /resource_metadata="([^"]*)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    const found = await oauth.resourceDiscoveryRequest(resource, options);
    expect(found.url).toBe(document);
    const metadata = await oauth.processResourceDiscoveryResponse(resource, found);
    expect(metadata.resource).toBe(resource.href);
    const issuer = new URL(metadata.authorization_servers?.[0] ?? '');
    const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' });
    const server = await oauth.processDiscoveryResponse(issuer, discovered);
    const client = { client_id: 'demo-service' };
    const granted = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic('demo-service-secret-of-32-letters'),
      { resource: metadata.resource, scope: metadata.scopes_supported?.join(' ') ?? '' },
      options,
    );
    const tokens = await oauth.processClientCredentialsResponse(server, client, granted);
    const response = await fetch(resource, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(response.status).toBe(200);
  },
);

test('openid-client parses a form_post response, and rejects a response of another issuer', async () => {
  const config = await discover('/s/posted', 'demo-spa');
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid',
    response_mode: 'form_post',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    auto: 'ada',
  });
  const page = await (await fetch(url)).text();
  const body = new URLSearchParams();
  for (const [, name = '', value = ''] of page.matchAll(/name="([^"]*)" value="([^"]*)"/g)) {
    body.set(name, value);
  }
  const posted = () =>
    new Request(redirectUri, { method: 'POST', body: new URLSearchParams(body) });
  const other = await discover('/s/another', 'demo-spa');
  await expect(
    openid.authorizationCodeGrant(other, posted(), { pkceCodeVerifier }),
  ).rejects.toThrow(/response/);
  const tokens = await openid.authorizationCodeGrant(config, posted(), { pkceCodeVerifier });
  expect(tokens.claims()?.sub).toBe('ada');
});

test('oauth4webapi parses introspection signed with the registered algorithm', async () => {
  const options = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(`${service.url}/s/signed-introspection/oidc`);
  const discovered = await oauth.discoveryRequest(issuer, options);
  const server = await oauth.processDiscoveryResponse(issuer, discovered);
  expect(server.introspection_signing_alg_values_supported).toEqual(['RS256', 'ES256', 'EdDSA']);
  const registering = {
    grant_types: ['client_credentials'],
    introspection_signed_response_alg: 'ES256',
  };
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(server, registering, options),
  );
  const secret = oauth.ClientSecretBasic(client.client_secret as string);
  const granted = await oauth.clientCredentialsGrantRequest(server, client, secret, {}, options);
  const tokens = await oauth.processClientCredentialsResponse(server, client, granted);
  const asked = async (token: string, requestJwtResponse: boolean) => {
    const asking = { ...options, requestJwtResponse };
    const response = await oauth.introspectionRequest(server, client, secret, token, asking);
    const type = response.headers.get('content-type');
    const told = await oauth.processIntrospectionResponse(server, client, response);
    await oauth.validateApplicationLevelSignature(server, response, options).catch((error) => {
      if (requestJwtResponse) throw error;
    });
    return { type, told };
  };
  const signed = await asked(tokens.access_token, true);
  expect(signed.type).toBe('application/token-introspection+jwt');
  expect(signed.told).toMatchObject({ active: true, client_id: client.client_id });
  expect((await asked('unknown', true)).told).toEqual({ active: false });
  const plain = await asked(tokens.access_token, false);
  expect(plain.type).toBe('application/json; charset=utf-8');
  expect(plain.told).toEqual(signed.told);
});

const webSecret = 'demo-web-secret-of-32-characters';

test('openid-client pushes its request and binds its tokens to a key', async () => {
  const config = await discover('/s/fapi', 'demo-web', webSecret);
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'));
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const parameters = {
    redirect_uri: redirectUri,
    scope: 'openid profile offline_access',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  };
  const url = await openid.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
  expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
  url.searchParams.set('auto', 'ada');
  const back = await follow(url);
  const tokens = await openid.authorizationCodeGrant(
    config,
    back,
    { pkceCodeVerifier },
    undefined,
    {
      DPoP,
    },
  );
  expect(tokens.token_type).toBe('dpop');
  const userinfo = await openid.fetchUserInfo(config, tokens.access_token, 'ada', { DPoP });
  expect(userinfo.name).toBe('Ada Lovelace');
  const me = new URL(`${service.url}/s/fapi/oidc/api/me`);
  const ask = (options = {}) =>
    openid.fetchProtectedResource(config, tokens.access_token, me, 'GET', null, undefined, options);
  expect((await ask({ DPoP })).status).toBe(200);
  await expect(ask()).rejects.toThrow(/challenge/);
  const options = { DPoP };
  const next = await openid.refreshTokenGrant(
    config,
    tokens.refresh_token ?? '',
    undefined,
    options,
  );
  expect(next.token_type).toBe('dpop');
});

test('openid-client signs its request, and pushes a signed request', async () => {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    { name: 'ECDSA', namedCurve: 'P-256' },
    true,
    ['sign', 'verify'],
  );
  const { kty = '', crv = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  const config = await openid.dynamicClientRegistration(
    new URL(`${service.url}/s/signing/oidc`),
    {
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'private_key_jwt',
      require_signed_request_object: true,
      jwks: { keys: [{ kty, crv, x, y, alg: 'ES256' }] },
    },
    openid.PrivateKeyJwt(privateKey),
    insecure,
  );
  const parameters = { redirect_uri: redirectUri, scope: 'openid', max_age: '60' };
  const signed = await openid.buildAuthorizationUrlWithJAR(config, parameters, privateKey);
  const request = signed.searchParams.get('request') ?? '';
  const pushed = await openid.buildAuthorizationUrlWithPAR(config, { request });
  for (const url of [signed, pushed]) {
    url.searchParams.set('auto', 'grace');
    const tokens = await openid.authorizationCodeGrant(config, await follow(url), { maxAge: 60 });
    expect(tokens.claims()?.sub).toBe('grace');
  }
});

test('openid-client waits until a user allows a device, and exchanges tokens', async () => {
  const config = await discover('/s/devices', 'demo-device');
  const asked = await openid.initiateDeviceAuthorization(config, { scope: 'openid orders' });
  await fetch(`${asked.verification_uri_complete}&auto=ada`);
  const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...asked, interval: 0 });
  expect(tokens.claims()?.sub).toBe('ada');
  const asService = await discover(
    '/s/devices',
    'demo-service',
    'demo-service-secret-of-32-letters',
  );
  const exchanged = await openid.genericGrantRequest(
    asService,
    'urn:ietf:params:oauth:grant-type:token-exchange',
    {
      subject_token: tokens.access_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      scope: 'orders',
    },
  );
  expect(exchanged.scope).toBe('orders');
});

test('oauth4webapi pushes, proves its key, and verifies the bound JWT', async () => {
  const options = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(`${service.url}/s/oauth4webapi/oidc`);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, options),
  );
  const client = { client_id: 'demo-native' };
  const DPoP = oauth.DPoP({}, await oauth.generateKeyPair('ES256'));
  const verifier = oauth.generateRandomCodeVerifier();
  const parameters = {
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'profile',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  const push = async () =>
    oauth.processPushedAuthorizationResponse(
      server,
      client,
      await oauth.pushedAuthorizationRequest(server, client, oauth.None(), parameters, {
        ...options,
        DPoP,
      }),
    );
  // The first response has the nonce.
  await expect(push()).rejects.toThrow(oauth.ResponseBodyError);
  const { request_uri } = await push();
  const query = new URLSearchParams({ ...client, request_uri, auto: 'ada' });
  const back = await follow(new URL(`${server.authorization_endpoint}?${query}`));
  const redirected = oauth.validateAuthResponse(server, client, back);
  const granted = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    redirected,
    redirectUri,
    verifier,
    { ...options, DPoP },
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, granted);
  const resource = new URL(`${issuer}/api/me`);
  const seen: Request[] = [];
  const response = await oauth.protectedResourceRequest(
    tokens.access_token,
    'GET',
    resource,
    undefined,
    undefined,
    {
      ...options,
      DPoP,
      [oauth.customFetch]: (url, init) => {
        seen.push(new Request(url, init as RequestInit));
        return fetch(url, init as RequestInit);
      },
    },
  );
  expect(response.status).toBe(200);
  const [request] = seen;
  if (request === undefined) throw new Error('Nothing was sent.');
  const claims = await oauth.validateJwtAccessToken(server, request, `${issuer}/api`, {
    ...options,
    requireDPoP: true,
  });
  expect(claims.cnf?.jkt).toBe(await DPoP.calculateThumbprint());
});
