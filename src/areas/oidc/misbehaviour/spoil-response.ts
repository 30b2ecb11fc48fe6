/** Responses to the browser that are wrong on purpose. */

import { randomText } from '../random-text.js';
import type { CodeRecord } from '../token/grants.js';
import type { MisbehaviourName } from './misbehaviours.js';
import { otherIssuer, otherUser } from './others.js';

interface Place {
  readonly redirectUri: string;
  readonly state?: string;
}

interface Spoiled<At> {
  readonly place: At;
  /** None: the response has no `iss`. */
  readonly issuer?: string;
  /** Whether there was anything to spoil. */
  readonly isMet: boolean;
}

export function spoilResponse<At extends Place>(
  name: MisbehaviourName | undefined,
  place: At,
  issuer: string,
): Spoiled<At> {
  if (name === 'wrong-state') {
    if (place.state === undefined) return { place, issuer, isMet: false };
    return { place: { ...place, state: randomText('other') }, issuer, isMet: true };
  }
  if (name === 'redirect-near-miss') {
    return { place: { ...place, redirectUri: nearMiss(place.redirectUri) }, issuer, isMet: true };
  }
  if (name === 'wrong-response-iss') return { place, issuer: otherIssuer, isMet: true };
  if (name === 'missing-response-iss') return { place, isMet: true };
  return { place, issuer, isMet: true };
}

/** A path below it, as a server accepts it that compares prefixes (RFC 9700 section 4.1.1). */
export function nearMiss(redirectUri: string): string {
  const [address = '', query] = redirectUri.split('?', 2);
  const below = `${address}${address.endsWith('/') ? '' : '/'}near-miss`;
  return query === undefined ? below : `${below}?${query}`;
}

type Kept = Pick<CodeRecord, 'grant' | 'codeChallenge'>;

/** What a code stands for; `other` is random text. For an injected one it is the login of somebody else. */
export function spoilGrant(name: MisbehaviourName | undefined, kept: Kept, other: string): Kept {
  if (name !== 'foreign-code' && name !== 'pkce-unchecked') return kept;
  const { grant, codeChallenge } = kept;
  return {
    grant: {
      ...grant,
      sub: otherUser(grant.sub),
      ...(grant.nonce !== undefined && { nonce: other }),
    },
    ...(codeChallenge !== undefined && { codeChallenge: other.slice(-43) }),
  };
}
