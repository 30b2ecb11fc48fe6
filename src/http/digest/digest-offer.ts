/** Writes Digest challenges: RFC 7616 section 3.3. */

import { quoted, realm } from '../credentials/challenge.js';
import type { DigestAlgorithm } from './digest-algorithm.js';

export type Qop = 'auth' | 'auth-int';

export interface DigestOffer {
  /** The strongest first; never empty. */
  readonly algorithms: readonly DigestAlgorithm[];
  /** Empty for the challenge of RFC 2069, which has no qop. */
  readonly qops: readonly Qop[];
  /**
   * Whether credentials without a qop are also accepted, as in RFC 2069 (RFC 2617 section 3.2.2).
   */
  readonly isQopOptional?: true;
  /** Whether clients may hash the user name (RFC 7616 section 3.4.4). */
  readonly allowsUserhash?: boolean;
}

interface ChallengeValues {
  /** One for each algorithm of the offer. */
  readonly nonces: readonly string[];
  readonly opaque: string;
  readonly isStale: boolean;
}

export function formatChallenges(
  { algorithms, qops, allowsUserhash }: DigestOffer,
  { nonces, opaque, isStale }: ChallengeValues,
): string[] {
  return algorithms.map((algorithm, index) =>
    [
      `Digest realm=${quoted(realm)}`,
      // Without a space, because older clients search for the literal text "auth,auth-int".
      ...(qops.length > 0 ? [`qop="${qops.join(',')}"`] : []),
      `algorithm=${algorithm}`,
      `nonce="${nonces[index]}"`,
      `opaque="${opaque}"`,
      // Clients that support only RFC 2617 do not know this parameter, and use MD5.
      ...(algorithm.startsWith('SHA') ? ['charset=UTF-8'] : []),
      ...(allowsUserhash ? ['userhash=true'] : []),
      ...(isStale ? ['stale=true'] : []),
    ].join(', '),
  );
}
