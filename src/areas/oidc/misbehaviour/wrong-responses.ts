/** Responses of the issuer that are wrong on purpose, except tokens. */

import { randomText } from '../../../http/credentials/secret-text.js';
import type { ResponsePlace } from '../authorize/authorization-request.js';
import type { CodeRecord } from '../model/grants.js';
import {
  type MisbehaviourName,
  otherIssuer,
  unknownMembers,
  unknownParameters,
} from './misbehaviours.js';

export function wrongPlace(
  name: MisbehaviourName | undefined,
  place: ResponsePlace,
): ResponsePlace {
  if (name === 'redirect-near-miss') return { ...place, redirectUri: nearMiss(place.redirectUri) };
  const isWrong = name === 'wrong-state' && place.state !== undefined;
  return isWrong ? { ...place, state: randomText('other') } : place;
}

/** Returns the `iss` of a response of the authorization endpoint; twice for repeated-response-iss. */
export function wrongIss(
  name: MisbehaviourName | undefined,
  iss: string,
): readonly string[] | string | undefined {
  if (name === 'missing-response-iss') return undefined;
  if (name === 'repeated-response-iss') return [iss, otherIssuer];
  return name === 'wrong-response-iss' ? otherIssuer : iss;
}

/** Returns a path below the redirect URI, which a server accepts if it compares prefixes (RFC 9700 section 4.1.1). */
export function nearMiss(redirectUri: string): string {
  const [address = '', query] = redirectUri.split('?', 2);
  const below = `${address}${address.endsWith('/') ? '' : '/'}near-miss`;
  return query === undefined ? below : `${below}?${query}`;
}

type Kept = Pick<CodeRecord, 'grant' | 'codeChallenge'>;

/** Returns the grant of a code. An injected code belongs to another user's login; `other` is random text. */
export function wrongGrant(name: MisbehaviourName | undefined, kept: Kept, other: string): Kept {
  if (name !== 'foreign-code' && name !== 'pkce-unchecked') return kept;
  const { grant, codeChallenge } = kept;
  const nonce = grant.nonce && other;
  return {
    grant: { ...grant, sub: otherUser(grant.sub), nonce },
    codeChallenge: codeChallenge && other.slice(-43),
  };
}

export function wrongUserinfo<Claims extends { readonly sub: string }>(
  name: MisbehaviourName | undefined,
  claims: Claims,
): Claims {
  if (name === 'userinfo-sub') return { ...claims, sub: otherUser(claims.sub) };
  return name === 'unknown-members' ? { ...unknownMembers, ...claims } : claims;
}

interface TokenResponse {
  readonly token_type: string;
  readonly expires_in: number;
  readonly id_token: string | undefined;
}

export function wrongTokenResponse(name: MisbehaviourName, response: TokenResponse): object {
  const { expires_in: _expires, ...withoutEnd } = response;
  switch (name) {
    case 'unknown-members':
      return { ...unknownMembers, ...response };
    case 'token-type-case':
      return { ...response, token_type: response.token_type.toLowerCase() };
    case 'no-expires-in':
      return withoutEnd;
    default:
      return response;
  }
}

/** Returns the parameters of a response to the browser. */
export function wrongParameters(
  name: MisbehaviourName | undefined,
  parameters: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return name === 'extra-parameters' ? { ...unknownParameters, ...parameters } : parameters;
}

export function wrongDiscovery<Document extends { readonly issuer: string }>(
  name: MisbehaviourName | undefined,
  document: Document,
): Document {
  if (name === 'discovery-other-issuer') return { ...document, issuer: otherIssuer };
  return name === 'unknown-members' ? { ...unknownMembers, ...document } : document;
}

function otherUser(sub: string): string {
  return sub === 'grace' ? 'ada' : 'grace';
}
