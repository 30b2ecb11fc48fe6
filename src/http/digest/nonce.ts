/** Remembers the uses of each nonce while it lives, so that no count is accepted twice. */

import { ownCopy } from '../../state/rows/heap-bytes.js';
import type { Change, Space } from '../../state/state.js';
import type { TokenScope } from '../credentials/timed-token.js';
import type { DigestAlgorithm } from './digest-algorithm.js';

export const nonceLifetimeMs = 300_000;

/** A nonce belongs to the challenge of one algorithm. */
export function nonceScope(sandbox: string, algorithm: DigestAlgorithm): TokenScope {
  return { purpose: `digest-nonce ${algorithm}`, sandbox };
}

export interface NonceUse {
  /** The highest nonce count seen; 0 before the first use. */
  readonly count: number;
  /** The cnonce of the first use, from which the key of a session is made. */
  readonly cnonce?: string;
  /** How many bytes of a body came with the request that this nonce was the challenge to. */
  readonly bodyBytes?: number;
}

/**
 * Returns the space of an area's nonces. A nonce is written when it is issued, not when it is used: one that had to make
 * room is then stale, where otherwise its counts would start anew and could be replayed.
 */
export function nonceSpace(area: string): Space<NonceUse> {
  return { name: `${area}:digest-nonces`, maxKeys: 10_000 };
}

export type CountOutcome = 'counted' | 'replayed' | 'forgotten';

/** Accepts a nonce count, which must be higher than any before it. */
export function countUse(
  use: NonceUse | undefined,
  count: number,
  cnonce: string | undefined,
  issuedAtMs: number,
): Change<NonceUse, CountOutcome> {
  const expiresAtMs = issuedAtMs + nonceLifetimeMs;
  if (use === undefined) return { value: undefined, result: 'forgotten' };
  if (count <= use.count) return { value: use, expiresAtMs, result: 'replayed' };
  // It was cut out of a header, all of which it would keep.
  const first = use.cnonce ?? (cnonce && ownCopy(cnonce));
  const value = { ...use, count, ...(first !== undefined && { cnonce: first }) };
  return { value, expiresAtMs, result: 'counted' };
}
