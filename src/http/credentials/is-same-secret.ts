/** Comparison of secrets whose duration tells nothing of where they differ. */

import { hash, timingSafeEqual } from 'node:crypto';

/** Hex digests: Node makes them four times as fast as buffers. */
const [givenDigest, expectedDigest] = [Buffer.alloc(64), Buffer.alloc(64)];

/** Hashing first makes both sides equally long, so that not even the length is told. */
export function isSameSecret(given: string, expected: string): boolean {
  givenDigest.write(hash('sha256', given, 'hex'), 'latin1');
  expectedDigest.write(hash('sha256', expected, 'hex'), 'latin1');
  return timingSafeEqual(givenDigest, expectedDigest);
}
