/** Digests of what is sent and of what stands behind it: Content-Digest and Repr-Digest, RFC 9530. */

import { createHash } from 'node:crypto';
import { requireLazily } from '../../base/require-lazily.js';

const fields = requireLazily<typeof import('structured-headers')>('structured-headers');

/** The two that RFC 9530 section 5 calls active; others are for compatibility with what is insecure. */
const hashes = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const;
export type DigestAlgorithm = keyof typeof hashes;

/**
 * The algorithm that a Want-Content-Digest or Want-Repr-Digest header likes best, the first of equals (section 4).
 * `undefined` when it names none that is there, weighs them all 0, or is malformed and so counts as absent.
 */
export function wantedDigest(header: string | undefined): DigestAlgorithm | undefined {
  if (header === undefined) return undefined;
  let wanted: ReturnType<ReturnType<typeof fields>['parseDictionary']>;
  try {
    wanted = fields().parseDictionary(header);
  } catch {
    return undefined;
  }
  let best: DigestAlgorithm | undefined;
  let bestWeight = 0;
  for (const [name, [weight]] of wanted) {
    const isInRange = Number.isInteger(weight) && Number(weight) <= 10;
    if (!Object.hasOwn(hashes, name) || !isInRange || Number(weight) <= bestWeight) continue;
    best = name as DigestAlgorithm;
    bestWeight = Number(weight);
  }
  return best;
}

export class RunningDigest {
  readonly #algorithm: DigestAlgorithm;
  readonly #hash: ReturnType<typeof createHash>;

  constructor(algorithm: DigestAlgorithm) {
    this.#algorithm = algorithm;
    this.#hash = createHash(hashes[algorithm]);
  }

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** The value of the field; nothing can be added afterwards. */
  end(): string {
    return `${this.#algorithm}=:${this.#hash.digest('base64')}:`;
  }
}

/** The value of the field for bytes that are here. */
export function digestOf(algorithm: DigestAlgorithm, bytes: Uint8Array): string {
  const digest = new RunningDigest(algorithm);
  digest.add(bytes);
  return digest.end();
}
