/** Digest challenges (RFC 7616 section 3.3), one for each algorithm offered. */

import { quoted } from '../credentials/challenge.js';
import { realm } from '../credentials/realm.js';
import type { DigestOffer } from './digest-offer.js';

export interface ChallengeValues {
  readonly nonce: string;
  readonly opaque: string;
  readonly isStale: boolean;
}

export function formatChallenges(
  { algorithms, qops }: DigestOffer,
  { nonce, opaque, isStale }: ChallengeValues,
): string[] {
  return algorithms.map((algorithm) =>
    [
      `Digest realm=${quoted(realm)}`,
      // Without a space, because older clients look for the very text "auth,auth-int".
      ...(qops.length > 0 ? [`qop="${qops.join(',')}"`] : []),
      `algorithm=${algorithm}`,
      `nonce="${nonce}"`,
      `opaque="${opaque}"`,
      // What RFC 2617 did not have is kept from clients that know only it, and so only MD5.
      ...(algorithm.startsWith('SHA') ? ['charset=UTF-8'] : []),
      ...(isStale ? ['stale=true'] : []),
    ].join(', '),
  );
}
