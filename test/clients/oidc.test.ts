/** The issuer by libraries that no one here wrote: openid-client and oauth4webapi. */

import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const redirectUri = 'http://127.0.0.1:4712/callback';
const insecure = { execute: [openid.allowInsecureRequests] };

const discover = (prefix: string, clientId: string, secret?: string) =>
  openid.discovery(new URL(`${service.url}${prefix}/oidc`), clientId, secret, undefined, insecure);

/** What a browser does: where the issuer sends it. */
async function follow(url: URL): Promise<URL> {
  const { status, headers } = await fetch(url, { redirect: 'manual' });
  expect(status).toBe(303);
  return new URL(headers.get('location') ?? '');
}

test('openid-client logs in with PKCE, nonce and state, refreshes, asks and logs out', async () => {
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
  const answer = await openid.fetchProtectedResource(config, token, orders, 'GET');
  expect(answer.status).toBe(200);
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

test('openid-client reads an answer that was posted, and refuses one of another issuer', async () => {
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
