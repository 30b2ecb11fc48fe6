/** Comparison of secrets whose duration tells nothing of where they differ. */

import { hash, timingSafeEqual } from 'node:crypto';

/** Hashing first makes both sides equally long, so that not even the length is told. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
