/** Clients of the issuer (RFC 7591 section 2). */

import type { JWK } from 'jose';
import type { SigningAlgorithm } from './key-ring.js';

export const authMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
] as const;
export type AuthMethod = (typeof authMethods)[number];

export const withSecret: readonly AuthMethod[] = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
];

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  deviceGrant,
  exchangeGrant,
  jwtBearerGrant,
] as const;
export type GrantType = (typeof grantTypes)[number];

export const tokenFormats = ['jwt', 'opaque'] as const;

/** Names that a certificate must have: one of them (RFC 8705 section 2.1.2). */
export const certificateNames = [
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
] as const;

export interface CertificateName {
  readonly by: (typeof certificateNames)[number];
  readonly name: string;
}

export interface Client {
  readonly clientId: string;
  readonly name: string;
  readonly secret?: string | undefined;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly grantTypes: readonly GrantType[];
  /** Demo clients may choose one; a registered client has only its registered method. */
  readonly authMethods: readonly AuthMethod[];
  readonly accessToken: (typeof tokenFormats)[number];
  readonly idTokenAlg: SigningAlgorithm;
  /** Whether ID tokens have the claims of the scopes. Userinfo always has them. */
  readonly claimsInIdToken?: boolean;
  /** The registered scopes; the client gets no others. */
  readonly scopes?: readonly string[] | undefined;
  /** The default `aud` of its access tokens. */
  readonly audience?: string | undefined;
  /** In seconds, for requests without `max_age` (OpenID Connect Registration section 2). */
  readonly defaultMaxAge?: number | undefined;
  /** For requests without `acr_values`. */
  readonly defaultAcrValues?: readonly string[] | undefined;
  readonly userinfoAlg?: SigningAlgorithm | undefined;
  /** The algorithm to sign introspection responses with, if the client requests a JWT. */
  readonly introspectionAlg?: SigningAlgorithm;
  /** Its tokens are always bound to a key (RFC 9449 section 5.2). */
  readonly isDpopBound?: boolean;
  /** Its tokens are always bound to its certificate (RFC 8705 section 3.4). */
  readonly isCertificateBound?: boolean;
  readonly certificate?: CertificateName | undefined;
  /** Its requests must be pushed (RFC 9126 section 6). */
  readonly mustPush?: boolean;
  /** Its requests must be signed (RFC 9101 section 10.5). */
  readonly mustSign?: boolean;
  /** Loaded in a frame when a session ends (OpenID Connect Front-Channel Logout). */
  readonly frontChannelLogout?:
    | { readonly uri: string; readonly needsSession: boolean }
    | undefined;
  readonly about?: readonly { readonly title: string; readonly address: string }[];
  readonly jwks?: { readonly keys: readonly JWK[] } | undefined;
}

/** Any program can impersonate a public client, because it has no secret. */
export function isPublic(client: Client): boolean {
  return client.authMethods.includes('none');
}
