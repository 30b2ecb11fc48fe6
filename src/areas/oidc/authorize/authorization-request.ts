/** Parses a request to the authorization endpoint: OpenID Connect Core section 3.1.2.1, RFC 7636, RFC 9700. */

import { isObject } from '#base/json-object.js';
import { joinBriefly } from '#base/text/cut-text.js';
import { gotParameter } from '#base/text/got-value.js';
import { type Form, needed } from '#http/oauth/form.js';
import { rejected } from '#http/oauth/oauth-error.js';
import type { Issuer } from '../messages/issuer.js';
import { type ResponsePlace, responseModes } from '../messages/respond-to-client.js';
import { type Client, isPublic } from '../model/client.js';
import { isOwnPage, isRegistered } from '../model/match-redirect.js';
import { mcpScopes, meantScopes, namedScopes, type Offers, readTargets } from '../model/scopes.js';
import { UnregisteredAddress } from '../pages/unregistered.js';

export const promptValues: readonly string[] = ['none', 'login', 'consent', 'select_account'];

export interface AuthorizationRequest extends ResponsePlace {
  readonly client: Client;
  readonly scopes: readonly string[];
  readonly targets: readonly string[] | undefined;
  readonly codeChallenge: string | undefined;
  /** The key to bind the tokens to (RFC 9449 section 10). */
  readonly dpopJkt: string | undefined;
  readonly nonce: string | undefined;
  readonly prompts: readonly string[];
  readonly maxAgeSeconds: number | undefined;
  /** How the user should have logged in, best first. */
  readonly acrValues: readonly string[] | undefined;
  readonly loginHint: string | undefined;
  readonly idTokenHint: string | undefined;
  readonly claims: ClaimsRequest;
}

/** For all parameters together, because the state stores them. */
const maxLength = 8 * 1024;

/** Parameters that are not part of a pushed request. */
const besides = ['misbehave', 'request_uri'];

/** Throws an error for the user only: the URI may not belong to the client. */
export function readResponsePlace(form: Form, client: Client, issuer: Issuer): ResponsePlace {
  const redirectUri = needed(form, 'redirect_uri');
  const isKnown = isRegistered(redirectUri, client.redirectUris);
  if (!isKnown && !isOwnPage(redirectUri, client, issuer)) {
    const known = client.redirectUris.join(', ') || 'none';
    const message = `The redirect_uri is not registered for ${client.clientId}; it must match exactly: ${known}.`;
    throw new UnregisteredAddress(message, 'redirect_uris', redirectUri, client);
  }
  const mode = form.get('response_mode');
  const responseMode = responseModes.find((known) => known === mode) ?? 'query';
  return { redirectUri, responseMode, state: form.get('state') };
}

export function readAuthorizationRequest(
  form: Form,
  client: Client,
  responseTarget: ResponsePlace,
  offers: Offers,
): AuthorizationRequest {
  const targets = readTargets(form, offers);
  rejectUnsupported(form, client);
  return {
    ...responseTarget,
    client,
    targets,
    scopes: form.has('scope') ? readScopes(form.get('scope'), offers) : standardScope(offers),
    prompts: readPrompts(form.get('prompt')),
    codeChallenge: readChallenge(form, client),
    dpopJkt: readThumbprint(form.get('dpop_jkt')),
    maxAgeSeconds: readMaxAge(form.get('max_age')) ?? client.defaultMaxAge,
    claims: parseClaims(form.get('claims')) ?? rejectClaims(),
    nonce: form.get('nonce'),
    loginHint: form.get('login_hint'),
    idTokenHint: form.get('id_token_hint'),
    acrValues: form.get('acr_values')?.split(' ') ?? client.defaultAcrValues,
  };
}

function rejectUnsupported(form: Form, client: Client): void {
  const own = [...form].filter(([name]) => !besides.includes(name));
  const length = own.flat().join('').length;
  if (length > maxLength) throw rejected(`The parameters have more than ${maxLength} characters.`);
  if (!client.grantTypes.includes('authorization_code')) {
    throw rejected('This client may not use the authorization code grant.', 'unauthorized_client');
  }
  const responseType = form.get('response_type');
  if (responseType === undefined) throw rejected('The parameter response_type is missing.');
  if (responseType !== 'code') {
    const got = gotParameter('response_type', responseType);
    throw rejected(`response_type must be code${got}.`, 'unsupported_response_type');
  }
  const mode = form.get('response_mode');
  if (mode === undefined || responseModes.some((known) => known === mode)) return;
  const got = gotParameter('response_mode', mode);
  throw rejected(`response_mode must be one of ${responseModes.join(', ')}${got}.`);
}

/** Returns the scope of a request without one; its client may not have registered it. */
function standardScope(offers: Pick<Offers, 'scopes' | 'isStrict'>): readonly string[] {
  const [standard] = mcpScopes;
  return readScopes(standard, offers);
}

/** Returns the supported scopes. Others are not granted (OpenID Connect Core section 3.1.2.1). */
export function readScopes(
  scope = '',
  { scopes, isStrict }: Pick<Offers, 'scopes' | 'isStrict'>,
): readonly string[] {
  const requested = scope.split(' ');
  const known = scopes.filter((each) => requested.includes(each));
  const others = requested.filter((each) => each !== '' && !scopes.includes(each));
  if (known.length > 0 && isStrict && others.length > 0) {
    throw rejected(
      `This client may not request ${joinBriefly(others)}. The scope can be ${namedScopes(scopes)}.${meantScopes(others, scopes)}`,
      'invalid_scope',
    );
  }
  if (known.length > 0) return known;
  throw rejected(
    `The scope must contain one or more of ${namedScopes(scopes)}, separated by one space.${meantScopes(requested, scopes)}`,
    'invalid_scope',
  );
}

function readPrompts(prompt: string | undefined): readonly string[] {
  if (prompt === undefined) return [];
  const prompts = prompt.split(' ');
  if (!prompts.every((each) => promptValues.includes(each))) {
    const got = gotParameter('prompt', prompt);
    throw rejected(
      `prompt must have one or more of ${promptValues.join(', ')}, separated by one space${got}.`,
    );
  }
  if (!prompts.includes('none') || prompts.length === 1) return prompts;
  throw rejected('prompt must not combine none with other values.');
}

/** SHA-256 in base64url without padding (RFC 7636 section 4.2, RFC 7638 section 3). */
const hashForm = /^[\w-]{43}$/;

function readChallenge(form: Form, client: Client): string | undefined {
  const challenge = form.get('code_challenge');
  const method = form.get('code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined)
      throw rejected('The request has a code_challenge_method without a code_challenge.');
    if (!isPublic(client)) return undefined;
    throw rejected('A public client must use PKCE: code_challenge and code_challenge_method=S256.');
  }
  // The default method is plain (RFC 7636 section 4.3).
  if (method !== 'S256') {
    const got = gotParameter('code_challenge_method', method);
    throw rejected(`code_challenge_method must be S256${got}.`);
  }
  if (hashForm.test(challenge)) return challenge;
  throw rejected(
    "The code_challenge must be the verifier's SHA-256 in base64url without padding, 43 characters.",
  );
}

function readThumbprint(thumbprint: string | undefined): string | undefined {
  if (thumbprint === undefined || hashForm.test(thumbprint)) return thumbprint;
  throw rejected("The dpop_jkt must be a key's SHA-256 thumbprint in base64url, 43 characters.");
}

function readMaxAge(maxAge: string | undefined): number | undefined {
  if (maxAge === undefined) return undefined;
  if (/^\d{1,9}$/.test(maxAge)) return Number(maxAge);
  throw rejected(`max_age must be an integer of seconds${gotParameter('max_age', maxAge)}.`);
}

interface ClaimRequest {
  readonly essential?: unknown;
  readonly value?: unknown;
  readonly values?: readonly unknown[];
}

type ClaimRequests = Readonly<Record<string, ClaimRequest>>;

export interface ClaimsRequest {
  readonly userinfo: ClaimRequests;
  readonly idToken: ClaimRequests;
}

const maxClaimsLength = 2048;

function rejectClaims(): never {
  throw rejected(
    'claims must be a JSON object; its members userinfo and id_token are objects of claims, each null or an object.',
  );
}

/** Returns `undefined` for an invalid claims parameter. */
function parseClaims(text = '{}'): ClaimsRequest | undefined {
  if (text.length > maxClaimsLength) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(parsed)) return undefined;
  const userinfo = readMember(parsed.userinfo);
  const idToken = readMember(parsed.id_token);
  return userinfo && idToken && { userinfo, idToken };
}

function readMember(member: unknown = {}): ClaimRequests | undefined {
  if (!isObject(member)) return undefined;
  const claims = Object.entries(member).map(([name, wanted]) => [name, wanted ?? {}] as const);
  return claims.every(([, claim]) => isClaim(claim)) ? Object.fromEntries(claims) : undefined;
}

function isClaim(claim: unknown): claim is ClaimRequest {
  if (!isObject(claim)) return false;
  const { essential = false, values = [] } = claim;
  return typeof essential === 'boolean' && Array.isArray(values);
}

/** Returns the values of which a claim must have one; `undefined` if any value is allowed. */
export function demandedValues({ value, values }: ClaimRequest = {}): readonly unknown[] {
  return values ?? (value === undefined ? [] : [value]);
}
