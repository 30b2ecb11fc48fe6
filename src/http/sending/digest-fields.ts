/** Writes digests of content and representation: Content-Digest and Repr-Digest, RFC 9530. */

import { createHash, type Hash } from 'node:crypto';
import { structuredFields } from '../headers/structured-fields.js';

/** The two active algorithms of RFC 9530 section 5; others are insecure. */
const hashes = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const;
export type DigestAlgorithm = keyof typeof hashes;

/**
 * Returns the preferred algorithm of a Want-Content-Digest or Want-Repr-Digest header, the first of
 * equals (section 4). Returns `undefined` if it names no supported algorithm, weighs them all 0, or
 * is malformed and so ignored.
 */
export function wantedDigest(header: string | undefined): DigestAlgorithm | undefined {
  if (header === undefined) return undefined;
  let best: DigestAlgorithm | undefined;
  let bestWeight = 0;
  try {
    for (const [name, [weight]] of structuredFields().parseDictionary(header)) {
      const isInRange = Number.isInteger(weight) && Number(weight) <= 10;
      if (!Object.hasOwn(hashes, name) || !isInRange || Number(weight) <= bestWeight) continue;
      best = name as DigestAlgorithm;
      bestWeight = Number(weight);
    }
  } catch {
    return undefined;
  }
  return best;
}

export function startDigest(algorithm: DigestAlgorithm): Hash {
  return createHash(hashes[algorithm]);
}

/** Returns the header value; nothing can be added to the hash afterwards. */
export function digestField(algorithm: DigestAlgorithm, hash: Hash): string {
  return `${algorithm}=:${hash.digest('base64')}:`;
}

export function digestOf(algorithm: DigestAlgorithm, bytes: Uint8Array): string {
  return digestField(algorithm, startDigest(algorithm).update(bytes));
}
