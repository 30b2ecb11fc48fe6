/**
 * openid-client with its defaults: it trusts the connection, and does not verify the signature of
 * ID tokens.
 */

import * as openid from 'openid-client';
import { clientId, clientSecret, follow, redirectUri, scope } from './browser.js';

export async function logIn(issuer: string): Promise<void> {
  const options = { execute: [openid.allowInsecureRequests] };
  const config = await openid.discovery(
    new URL(issuer),
    clientId,
    clientSecret,
    undefined,
    options,
  );
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const [expectedNonce, expectedState] = [openid.randomNonce(), openid.randomState()];
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    nonce: expectedNonce,
    state: expectedState,
    auto: 'ada',
  });
  const checks = { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true };
  const tokens = await openid.authorizationCodeGrant(config, await follow(url), checks);
  const sub = tokens.claims()?.sub ?? '';
  await openid.fetchUserInfo(config, tokens.access_token, sub);
  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
  await openid.fetchProtectedResource(
    config,
    refreshed.access_token,
    new URL(`${issuer}/api/me`),
    'GET',
  );
  const exit = openid.buildEndSessionUrl(config, {
    post_logout_redirect_uri: 'http://127.0.0.1:4711/',
    id_token_hint: refreshed.id_token ?? '',
  });
  await fetch(exit, { redirect: 'manual' });
}
