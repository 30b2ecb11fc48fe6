/** Clients of the settings of a sandbox. */

import { type AuthMethod, type Client, certificateNames, withSecret } from './client.js';
import { type ClientMetadata, clientFrom } from './client-metadata.js';
import type { IssuerSettings } from './issuer-settings.js';

type ConfiguredClient = NonNullable<IssuerSettings['clients']>[number];

/** Converts settings to a client: a secret allows it to act by itself, redirect URIs allow logins of users. */
export function clientOf(given: ConfiguredClient): Client {
  const { clientId, clientSecret, name = clientId, redirectUris = [], ...more } = given;
  const method = methodOf(given);
  const metadata = {
    ...more,
    client_name: name,
    redirect_uris: redirectUris,
    post_logout_redirect_uris: given.postLogoutRedirectUris,
    token_endpoint_auth_method: method,
    grant_types: [
      ...(redirectUris.length > 0 ? ['authorization_code', 'refresh_token'] : []),
      ...(method === 'none' ? [] : ['client_credentials']),
    ],
    access_token_format: given.accessToken,
    id_token_signed_response_alg: given.idTokenAlg,
    claims_in_id_token: given.claimsInIdToken,
  };
  const identity = { clientId, secret: clientSecret ?? '', isInOwnSandbox: true };
  const { audience } = given;
  const client = { ...clientFrom(metadata as ClientMetadata, identity), audience };
  if (clientSecret === undefined) return client;
  const certified: readonly AuthMethod[] = client.certificate ? ['tls_client_auth'] : [];
  return { ...client, secret: clientSecret, authMethods: [...withSecret, ...certified] };
}

/** Returns how the client authenticates. */
export function methodOf(given: ConfiguredClient): AuthMethod {
  const isCertified = certificateNames.some((name) => given[name] !== undefined);
  if (isCertified || given.token_endpoint_auth_method !== undefined) return 'tls_client_auth';
  return given.clientSecret === undefined ? 'none' : 'client_secret_basic';
}
