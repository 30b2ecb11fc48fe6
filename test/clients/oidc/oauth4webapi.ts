/** oauth4webapi, which also verifies the signature of ID tokens here. */

import * as oauth from 'oauth4webapi';
import { clientId, clientSecret, follow, redirectUri, scope } from './browser.js';

export async function logIn(issuer: string): Promise<void> {
  const options = { [oauth.allowInsecureRequests]: true };
  const found = await oauth.discoveryRequest(new URL(issuer), options);
  const server = await oauth.processDiscoveryResponse(new URL(issuer), found);
  const client = { client_id: clientId };
  const secret = oauth.ClientSecretBasic(clientSecret);
  const verifier = oauth.generateRandomCodeVerifier();
  const [nonce, state] = [oauth.generateRandomNonce(), oauth.generateRandomState()];
  const query = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    nonce,
    state,
    auto: 'ada',
  };
  const arrived = await follow(`${server.authorization_endpoint}?${new URLSearchParams(query)}`);
  const params = oauth.validateAuthResponse(server, client, arrived, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    secret,
    params,
    redirectUri,
    verifier,
    options,
  );
  const checks = { expectedNonce: nonce, requireIdToken: true };
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, checks);
  await oauth.validateApplicationLevelSignature(server, response, options);
  const { sub } = oauth.getValidatedIdTokenClaims(tokens) ?? { sub: '' };
  const asked = await oauth.userInfoRequest(server, client, tokens.access_token, options);
  await oauth.processUserInfoResponse(server, client, sub, asked);
  const renewed = await oauth.refreshTokenGrantRequest(
    server,
    client,
    secret,
    tokens.refresh_token ?? '',
    options,
  );
  const fresh = await oauth.processRefreshTokenResponse(server, client, renewed);
  const me = new URL(`${issuer}/api/me`);
  await oauth.protectedResourceRequest(fresh.access_token, 'GET', me, undefined, null, options);
}
