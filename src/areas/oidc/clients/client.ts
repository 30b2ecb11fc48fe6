/** Clients as the issuer knows them (RFC 7591 section 2). */

import type { JWK } from 'jose';
import type { SigningAlgorithm } from '../keys/key-ring.js';

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

/** What a certificate must say of its owner: one of them (RFC 8705 section 2.1.2). */
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
  /** Ready clients may choose; a registered one has the one that it registered. */
  readonly authMethods: readonly AuthMethod[];
  readonly accessToken: (typeof tokenFormats)[number];
  readonly idTokenAlg: SigningAlgorithm;
  /** Whether ID tokens have the claims of the scopes, which userinfo has always. */
  readonly claimsInIdToken?: boolean;
  /** The scope that it registered: it gets no more. */
  readonly scopes?: readonly string[] | undefined;
  /** The `aud` of its access tokens where no request says another. */
  readonly audience?: string | undefined;
  readonly userinfoAlg?: SigningAlgorithm | undefined;
  /** Introspection is signed by it, where a JWT is asked for. */
  readonly introspectionAlg?: SigningAlgorithm;
  /** Its tokens are bound to a key, always (RFC 9449 section 5.2). */
  readonly isDpopBound?: boolean;
  /** Its tokens are bound to its certificate, always (RFC 8705 section 3.4). */
  readonly isCertificateBound?: boolean;
  readonly certificate?: CertificateName | undefined;
  /** Its requests are pushed, always (RFC 9126 section 6). */
  readonly mustPush?: boolean;
  /** Its requests are signed, always (RFC 9101 section 10.5). */
  readonly mustSign?: boolean;
  /** Loaded in a frame when a session ends (OpenID Connect Front-Channel Logout). */
  readonly frontChannelLogout?:
    | { readonly uri: string; readonly needsSession: boolean }
    | undefined;
  readonly about?: readonly { readonly title: string; readonly address: string }[];
  readonly jwks?: { readonly keys: readonly JWK[] } | undefined;
}

/** Any program can pose as a public client: it has no secret to prove itself by. */
export function isPublic(client: Client): boolean {
  return client.authMethods.includes('none');
}
