/** What a client asks for at the authorization endpoint: OpenID Connect Core section 3.1.2.1, RFC 7636, RFC 9700. */

import { gotParameter } from '../../../base/text/got-value.js';
import type { Form } from '../../../http/oauth/form.js';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import { type Client, isPublic } from '../clients/client.js';
import { isRegistered } from '../clients/match-redirect.js';
import type { Issuer } from '../issuer.js';
import { RejectedRequest } from '../rejected-request.js';
import { readTargets } from '../resource/targets.js';
import { knownScopes } from '../scopes.js';
import { type ClaimsRequest, parseClaims } from './parse-claims.js';

export const responseModes = ['query', 'fragment', 'form_post'] as const;
export type ResponseMode = (typeof responseModes)[number];

export const promptValues = ['none', 'login', 'consent', 'select_account'] as const;

/** Where to send the response, known before anything else is. */
export interface ResponsePlace {
  readonly redirectUri: string;
  readonly responseMode: ResponseMode;
  readonly state?: string;
}

export interface AuthorizationRequest extends ResponsePlace {
  readonly client: Client;
  readonly scopes: readonly string[];
  readonly targets?: readonly string[];
  readonly codeChallenge?: string;
  /** The key that tokens are to be bound to (RFC 9449 section 10). */
  readonly dpopJkt?: string;
  readonly nonce?: string;
  readonly prompts: readonly string[];
  readonly maxAgeSeconds?: number;
  /** How the person should have logged in, best first. */
  readonly acrValues?: readonly string[];
  readonly loginHint?: string;
  readonly idTokenHint?: string;
  readonly claims: ClaimsRequest;
}

/** Of all parameters together: what is kept of a request is a part of it. */
const maxLength = 8 * 1024;

/** What comes beside a pushed request, and is no part of it. */
const besides: ReadonlySet<string> = new Set(['misbehave', 'request_uri']);

/** Throws an error for the person only: the URI is not known to be the client's. */
export function readResponsePlace(form: Form, client: Client): ResponsePlace {
  const redirectUri = form.get('redirect_uri');
  if (redirectUri === undefined) {
    throw new OAuthError('invalid_request', 'The parameter redirect_uri is missing.');
  }
  if (!isRegistered(redirectUri, client.redirectUris)) {
    const known = client.redirectUris.join(', ') || 'none';
    throw new OAuthError(
      'invalid_request',
      `The redirect_uri is not one that ${client.clientId} registered, letter by letter: ${known}.`,
    );
  }
  const state = form.get('state');
  const mode = form.get('response_mode');
  return {
    redirectUri,
    responseMode: responseModes.find((known) => known === mode) ?? 'query',
    ...(state !== undefined && { state }),
  };
}

/** Throws {@link RejectedRequest}. */
export function readAuthorizationRequest(
  form: Form,
  client: Client,
  place: ResponsePlace,
  issuer: Issuer,
): AuthorizationRequest {
  const targets = readTargets(form, issuer);
  rejectUnsupported(form, client);
  const scopes = readScopes(form.get('scope'));
  const prompts = readPrompts(form.get('prompt'));
  const optional = {
    nonce: form.get('nonce'),
    loginHint: form.get('login_hint'),
    idTokenHint: form.get('id_token_hint'),
    codeChallenge: readChallenge(form, client),
    targets,
    dpopJkt: readThumbprint(form.get('dpop_jkt')),
    maxAgeSeconds: readMaxAge(form.get('max_age')),
    acrValues: form.get('acr_values')?.split(' '),
  };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  const claims = parseClaims(form.get('claims'));
  if (claims === undefined) {
    throw invalid(
      'claims is a JSON object whose members userinfo and id_token are objects of claims, each null or an object.',
    );
  }
  return { ...place, client, scopes, prompts, claims, ...Object.fromEntries(given) };
}

function rejectUnsupported(form: Form, client: Client): void {
  let length = 0;
  for (const [name, value] of form) {
    if (!besides.has(name)) length += name.length + value.length;
  }
  if (length > maxLength) throw invalid(`The parameters have more than ${maxLength} characters.`);
  if (!client.grantTypes.includes('authorization_code')) {
    throw new RejectedRequest(
      'unauthorized_client',
      'This client may not use the authorization code grant.',
    );
  }
  const responseType = form.get('response_type');
  if (responseType === undefined) throw invalid('The parameter response_type is missing.');
  if (responseType !== 'code') {
    throw new RejectedRequest(
      'unsupported_response_type',
      `response_type must be code${gotParameter('response_type', responseType)}.`,
    );
  }
  const mode = form.get('response_mode');
  if (mode !== undefined && !responseModes.some((known) => known === mode)) {
    throw invalid(
      `response_mode must be one of ${responseModes.join(', ')}${gotParameter('response_mode', mode)}.`,
    );
  }
}

/** Those that are known: what is not is left out of what is granted (OpenID Connect Core section 3.1.2.1). */
export function readScopes(scope: string | undefined): readonly string[] {
  const asked = new Set((scope ?? '').split(' '));
  const known = knownScopes.filter((each) => asked.has(each));
  if (known.length > 0) return known;
  throw new RejectedRequest(
    'invalid_scope',
    `The scope must contain one or more of ${knownScopes.join(', ')}, separated by one space.`,
  );
}

function readPrompts(prompt: string | undefined): readonly string[] {
  if (prompt === undefined) return [];
  const prompts = prompt.split(' ');
  if (!prompts.every((each) => promptValues.some((known) => known === each))) {
    throw invalid(
      `prompt must be of ${promptValues.join(', ')}, separated by one space${gotParameter('prompt', prompt)}.`,
    );
  }
  if (prompts.includes('none') && prompts.length > 1) {
    throw invalid('prompt must be none alone, or not contain none.');
  }
  return prompts;
}

/** What SHA-256 gives in base64url without padding (RFC 7636 section 4.2, RFC 7638 section 3). */
const hashForm = /^[\w-]{43}$/;

function readChallenge(form: Form, client: Client): string | undefined {
  const challenge = form.get('code_challenge');
  const method = form.get('code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined) throw invalid('A code_challenge_method without a code_challenge.');
    if (!isPublic(client)) return undefined;
    throw invalid('A public client must use PKCE: code_challenge and code_challenge_method=S256.');
  }
  // Without the parameter the method is plain (RFC 7636 section 4.3).
  if (method !== 'S256')
    throw invalid(
      `code_challenge_method must be S256${gotParameter('code_challenge_method', method)}.`,
    );
  if (!hashForm.test(challenge)) {
    throw invalid(
      'The code_challenge must be the SHA-256 of the verifier in base64url without padding, which is 43 characters.',
    );
  }
  return challenge;
}

function readThumbprint(thumbprint: string | undefined): string | undefined {
  if (thumbprint === undefined || hashForm.test(thumbprint)) return thumbprint;
  throw invalid(
    'The dpop_jkt must be the SHA-256 thumbprint of a key in base64url, which is 43 characters.',
  );
}

function readMaxAge(maxAge: string | undefined): number | undefined {
  if (maxAge === undefined) return undefined;
  if (!/^\d{1,9}$/.test(maxAge))
    throw invalid(`max_age must be an integer of seconds${gotParameter('max_age', maxAge)}.`);
  return Number(maxAge);
}

function invalid(message: string): RejectedRequest {
  return new RejectedRequest('invalid_request', message);
}
