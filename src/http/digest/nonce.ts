/** Stores the uses of each nonce until it expires, so that no count is accepted twice. */

import { ownCopy } from '#state/rows/heap-bytes.js';
import type { Change, Space } from '#state/state.js';
import type { TokenScope } from '../credentials/timed-token.js';
import type { DigestAlgorithm } from './digest-algorithm.js';

export const nonceLifetimeMs = 300_000;

/** Returns the scope of a nonce, which belongs to the challenge of one algorithm. */
export function nonceScope(sandbox: string, algorithm: DigestAlgorithm): TokenScope {
  return { purpose: `digest-nonce ${algorithm}`, sandbox };
}

export interface NonceUse {
  /** Highest nonce count seen; 0 before the first use. */
  readonly count: number;
  /** cnonce of the first use, which the session key is made from. */
  readonly cnonce?: string;
  /** Body size of the request that got this nonce in its challenge. */
  readonly bodyBytes?: number;
}

/**
 * Returns the space of an area's nonces. A nonce is stored when it is issued: if it is dropped, it
 * becomes stale. If it were stored on first use, its counts would start again and could be
 * replayed.
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
  // A copy, because a slice would keep the whole header in memory.
  const first = use.cnonce ?? (cnonce && ownCopy(cnonce));
  const value = { ...use, count, ...(first !== undefined && { cnonce: first }) };
  return { value, expiresAtMs, result: 'counted' };
}
