/** Validates and converts client metadata: RFC 7591 section 2, OpenID Connect Registration section 2. */

import type { JWK } from 'jose';
import { type Static, Type } from 'typebox';
import { isHost } from '#base/normalize-host.js';
import { printablePattern } from '#base/text/text-patterns.js';
import { OAuthError } from '#http/oauth/oauth-error.js';
import { oneOf } from '#kit/describe/value-schemas.js';
import { scopeToken } from '../messages/schemas.js';
import {
  authMethods,
  type Client,
  certificateNames,
  deviceGrant,
  exchangeGrant,
  type GrantType,
  grantTypes,
  tokenFormats,
} from './client.js';
import { type SigningAlgorithm, signingAlgorithms } from './key-ring.js';

export const maxUriLength = 500;
const uri = Type.String({ minLength: 1, maxLength: maxUriLength });

/** 31 years. */
const maxDefaultSeconds = 999_999_999;
const maxDefaultAcrValues = 10;

const optionalUri = Type.Optional(uri);
const uris = Type.Optional(Type.Array(uri, { maxItems: 10 }));
const flag = Type.Optional(Type.Boolean());
const algorithm = Type.Optional(oneOf(signingAlgorithms));
const shortText = Type.String({ minLength: 1, maxLength: 200, pattern: printablePattern });
const certificateName = Type.Optional(Type.String({ minLength: 1, maxLength: 300 }));

export const certificateMembers = {
  tls_client_auth_subject_dn: certificateName,
  tls_client_auth_san_dns: certificateName,
  tls_client_auth_san_uri: certificateName,
  tls_client_auth_san_ip: certificateName,
  tls_client_auth_san_email: certificateName,
  tls_client_certificate_bound_access_tokens: flag,
};

export const metadataSchema = Type.Object(
  {
    redirect_uris: uris,
    post_logout_redirect_uris: uris,
    client_name: Type.Optional(Type.String({ maxLength: 100, pattern: printablePattern })),
    token_endpoint_auth_method: Type.Optional(oneOf(authMethods)),
    grant_types: Type.Optional(Type.Array(oneOf(grantTypes), { maxItems: grantTypes.length })),
    response_types: Type.Optional(Type.Array(Type.Literal('code'), { maxItems: 1 })),
    jwks: Type.Optional(
      Type.Object({
        keys: Type.Array(Type.Object({ kty: Type.String() }), { minItems: 1, maxItems: 5 }),
      }),
    ),
    id_token_signed_response_alg: algorithm,
    introspection_signed_response_alg: algorithm,
    userinfo_signed_response_alg: algorithm,
    ...certificateMembers,
    dpop_bound_access_tokens: flag,
    require_pushed_authorization_requests: flag,
    require_signed_request_object: flag,
    frontchannel_logout_uri: optionalUri,
    frontchannel_logout_session_required: flag,
    access_token_format: Type.Optional(oneOf(tokenFormats)),
    claims_in_id_token: flag,
    client_uri: optionalUri,
    logo_uri: optionalUri,
    policy_uri: optionalUri,
    tos_uri: optionalUri,
    jwks_uri: Type.Optional({
      ...uri,
      description: 'Returned, but never fetched: send jwks instead.',
    }),
    application_type: Type.Optional(oneOf(['web', 'native'])),
    scope: Type.Optional(
      Type.String({
        maxLength: 1000,
        pattern: `^${scopeToken}+(?: ${scopeToken}+)*$`,
        description: 'Scopes separated by one space; the client gets no others.',
      }),
    ),
    default_max_age: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxDefaultSeconds,
        description: 'Seconds after which a user logs in again, for requests without max_age.',
      }),
    ),
    require_auth_time: Type.Optional(
      Type.Boolean({ description: 'Every ID token of a user has auth_time anyway.' }),
    ),
    default_acr_values: Type.Optional(
      Type.Array(shortText, {
        maxItems: maxDefaultAcrValues,
        description: 'For requests without acr_values.',
      }),
    ),
    contacts: Type.Optional(Type.Array(shortText, { maxItems: 10 })),
    software_id: Type.Optional(shortText),
    software_version: Type.Optional(shortText),
  },
  { title: 'ClientMetadata' },
);

export type ClientMetadata = Static<typeof metadataSchema>;

/** Keeps only supported members. Others are ignored, and are not registered (RFC 7591 section 2). */
export function knownMetadata(metadata: ClientMetadata): ClientMetadata {
  const known = Object.entries(metadata).filter(
    ([name]) => Object.hasOwn(metadataSchema.properties, name) || tagged.test(name),
  );
  return Object.fromEntries(known) as ClientMetadata;
}

/** Members that users read may have a language tag, such as `client_name#de` (RFC 7591 section 2.2). */
const tagged =
  /^(client_name|client_uri|logo_uri|policy_uri|tos_uri)#[A-Za-z\d]{1,8}(?:-[A-Za-z\d]{1,8}){0,4}$/;
const maxTagged = 20;

function checkTagged(metadata: Readonly<Record<string, unknown>>): void {
  const members = Object.entries(metadata).filter(([name]) => tagged.test(name));
  if (members.length > maxTagged) {
    throw invalid(`At most ${maxTagged} members may have a language tag; got ${members.length}.`);
  }
  for (const [name, value] of members) {
    const isText = typeof value === 'string' && value !== '' && value.length <= maxUriLength;
    if (!isText || !new RegExp(printablePattern).test(value)) {
      throw invalid(`${name} must be a string of 1 to ${maxUriLength} printable characters.`);
    }
    if (!name.startsWith('client_name')) checkAddress(value, name);
  }
}

const aboutMembers = [
  ['client_uri', 'Home page'],
  ['logo_uri', 'Logo'],
  ['policy_uri', 'Privacy policy'],
  ['tos_uri', 'Terms of service'],
] as const;

/** Schemes that a browser runs or opens locally. */
const dangerous = /^(?:javascript|data|vbscript|file|blob|about):/i;
const maxKeyBytes = 4096;

interface Identity {
  readonly clientId: string;
  readonly secret: string;
  readonly isInOwnSandbox: boolean;
}

/** Creates a client from valid metadata. Throws the errors of RFC 7591 section 3.2.2. */
export function clientFrom(
  metadata: ClientMetadata,
  { clientId, secret, isInOwnSandbox }: Identity,
): Client {
  const method = metadata.token_endpoint_auth_method ?? 'client_secret_basic';
  const grants = metadata.grant_types ?? ['authorization_code'];
  const redirectUris = metadata.redirect_uris ?? [];
  // Only clients with credentials may use plain http on other machines (OpenID Connect Core section 3.1.2.1).
  const rule = { allowsPlainHttp: isInOwnSandbox && method !== 'none' };
  const redirectRule = { ...rule, code: 'invalid_redirect_uri' };
  for (const each of redirectUris) checkUri(each, 'redirect_uris', redirectRule);
  const postLogoutRedirectUris = metadata.post_logout_redirect_uris ?? [];
  for (const each of postLogoutRedirectUris) checkUri(each, 'post_logout_redirect_uris', rule);
  if (grants.includes('authorization_code') && redirectUris.length === 0) {
    const message = 'redirect_uris is missing: the grant authorization_code needs at least one.';
    throw new OAuthError('invalid_redirect_uri', message);
  }
  checkGrants(grants, method);
  const jwks = metadata.jwks as { keys: JWK[] } | undefined;
  if (method === 'private_key_jwt' && jwks === undefined) {
    throw invalid('private_key_jwt needs jwks: the server fetches no jwks_uri.');
  }
  if (jwks !== undefined) checkKeys(jwks);
  checkTagged(metadata);
  checkJwksUri(metadata);
  return {
    clientId,
    name: metadata.client_name ?? clientId,
    secret: method.startsWith('client_secret') ? secret : undefined,
    redirectUris,
    postLogoutRedirectUris,
    grantTypes: grants,
    authMethods: [method],
    accessToken: metadata.access_token_format ?? 'jwt',
    idTokenAlg: metadata.id_token_signed_response_alg ?? 'RS256',
    claimsInIdToken: metadata.claims_in_id_token ?? false,
    scopes: metadata.scope?.split(' '),
    defaultMaxAge: metadata.default_max_age,
    defaultAcrValues: metadata.default_acr_values,
    frontChannelLogout: readFrontChannel(metadata, redirectUris, rule),
    about: readAbout(metadata),
    mustPush: metadata.require_pushed_authorization_requests ?? false,
    mustSign: metadata.require_signed_request_object ?? false,
    certificate: readCertificate(metadata, method),
    isCertificateBound: metadata.tls_client_certificate_bound_access_tokens ?? false,
    isDpopBound: metadata.dpop_bound_access_tokens ?? false,
    introspectionAlg: metadata.introspection_signed_response_alg ?? 'RS256',
    userinfoAlg: metadata.userinfo_signed_response_alg as SigningAlgorithm | undefined,
    jwks,
  };
}

/** Returns the name that the certificate must have (RFC 8705 section 2.1.2). */
function readCertificate(metadata: ClientMetadata, method: string): Client['certificate'] {
  const given = certificateNames.flatMap((by) => {
    const name = metadata[by];
    return name === undefined ? [] : [{ by, name }];
  });
  const [certificate, other] = given;
  if (method !== 'tls_client_auth') {
    if (certificate === undefined) return undefined;
    throw invalid(`${certificate.by} needs the token_endpoint_auth_method tls_client_auth.`);
  }
  if (certificate !== undefined && other === undefined) return certificate;
  throw invalid(`tls_client_auth needs exactly one of ${certificateNames.join(', ')}.`);
}

function readAbout(metadata: ClientMetadata): NonNullable<Client['about']> {
  return aboutMembers.flatMap(([name, title]) => {
    const address = metadata[name];
    if (address === undefined) return [];
    checkAddress(address, name);
    return [{ title, address }];
  });
}

function checkAddress(address: string, name: string): void {
  checkUri(address, name);
  if (!/^https?:/i.test(address)) throw invalid(`${name} must be an http or https URL.`);
}

function checkJwksUri({ jwks, jwks_uri: uri }: ClientMetadata): void {
  if (uri === undefined) return;
  if (jwks !== undefined) throw invalid('Send jwks or jwks_uri, not both.');
  checkAddress(uri, 'jwks_uri');
}

/** The URI must have the same origin as a redirect URI (Front-Channel Logout section 2). */
function readFrontChannel(
  metadata: ClientMetadata,
  redirectUris: readonly string[],
  rule: UriRule,
): Client['frontChannelLogout'] {
  const { frontchannel_logout_uri: uri, frontchannel_logout_session_required: needs } = metadata;
  if (uri === undefined) return undefined;
  checkUri(uri, 'frontchannel_logout_uri', rule);
  const { origin, protocol } = new URL(uri);
  const isTheirs = redirectUris.some((each) => new URL(each).origin === origin);
  if (protocol.startsWith('http') && isTheirs) return { uri, needsSession: needs ?? false };
  throw invalid('The frontchannel_logout_uri must have the origin of one of the redirect_uris.');
}

function checkGrants(grants: readonly GrantType[], method: string): void {
  const isForPeople = grants.includes('authorization_code') || grants.includes(deviceGrant);
  if (grants.includes('refresh_token') && !isForPeople) {
    throw invalid('grant_types has refresh_token, which requires authorization_code.');
  }
  const byItself = grants.find((each) => each === 'client_credentials' || each === exchangeGrant);
  if (method !== 'none' || byItself === undefined) return;
  throw invalid(`A client that authenticates with none has no credentials for ${byItself}.`);
}

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?]|$)/i;

/** Whether a URL is http on another machine, which no public client may use. */
export function isPlainHttp(url: string): boolean {
  return /^http:/i.test(url) && !loopback.test(url);
}

interface UriRule {
  readonly code?: string;
  readonly allowsPlainHttp?: boolean;
}

export function checkUri(
  text: string,
  field: string,
  { code = 'invalid_client_metadata', allowsPlainHttp = false }: UriRule = {},
): void {
  const isUsable = URL.canParse(text) && !text.includes('#') && /^[\x21-\x7e]+$/.test(text);
  // A host such as a;b is valid in a URL, but would add a directive to a Content-Security-Policy.
  const host = isUsable ? new URL(text).host : '';
  if (host !== '' && !isHost(host)) {
    throw new OAuthError(code, `${field} must have a host name or IP address in its URL.`);
  }
  if (isUsable && !dangerous.test(text) && (allowsPlainHttp || !isPlainHttp(text))) return;
  throw new OAuthError(
    code,
    `${field} must be absolute URLs without a fragment: https, a custom scheme, or http on this machine. In a named sandbox, clients with credentials may use http on any host.`,
  );
}

function checkKeys({ keys }: { readonly keys: readonly JWK[] }): void {
  if (JSON.stringify(keys).length > maxKeyBytes * keys.length) throw invalid('jwks is too long.');
  const secretPart = keys.some((key) => key.d !== undefined || key.k !== undefined);
  if (secretPart) throw invalid('jwks contains a private key. Send only the public key.');
}

function invalid(message: string): OAuthError {
  return new OAuthError('invalid_client_metadata', message);
}
