/** What a challenge offers: algorithms and qualities of protection (RFC 7616 section 3.3). */

import type { DigestAlgorithm } from './digest-algorithm.js';

export type Qop = 'auth' | 'auth-int';

export interface DigestOffer {
  /** The strongest first; never empty. */
  readonly algorithms: readonly DigestAlgorithm[];
  /** Empty for the challenge of RFC 2069, which names none. */
  readonly qops: readonly Qop[];
  /** Whether credentials may have no qop all the same, as those of RFC 2069 (RFC 2617 section 3.2.2). */
  readonly isQopOptional?: true;
}
