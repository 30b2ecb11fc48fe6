/**
 * Generates bytes from a seed: the key stream of AES-128 in counter mode. The key is the first half of the seed's
 * SHA-256, and the counter starts at 0, so that any library can reproduce it. Any range can be generated without the
 * bytes before it.
 */

import { createCipheriv, createHash } from 'node:crypto';
import type { ByteRange } from '#http/sending/byte-ranges.js';
import { sliceBytes } from '#http/sending/stream-of.js';

const blockBytes = 16;

const zeros = Buffer.alloc(sliceBytes);

/** Yields the bytes of a range in slices, which are generated on demand. */
export function* seededBytes(seed: string, { first, last }: ByteRange): Generator<Buffer> {
  if (last < first) return;
  const key = createHash('sha256').update(seed).digest().subarray(0, 16);
  const counter = Buffer.alloc(blockBytes);
  counter.writeBigUInt64BE(BigInt(Math.floor(first / blockBytes)), 8);
  const cipher = createCipheriv('aes-128-ctr', key, counter);
  cipher.update(zeros.subarray(0, first % blockBytes));
  for (let left = last - first + 1; left > 0; left -= sliceBytes) {
    yield cipher.update(zeros.subarray(0, Math.min(left, sliceBytes)));
  }
}
