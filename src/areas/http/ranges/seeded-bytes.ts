/**
 * Bytes that follow from a seed, any part of which is made without those before it: the key stream of AES-128 in
 * counter mode, its key the first half of the SHA-256 of the seed, its counter beginning at 0. Whoever doubts them
 * makes the same with any library.
 */

import { createCipheriv, createHash } from 'node:crypto';
import type { ByteRange } from '../../../http/sending/byte-ranges.js';
import { sliceBytes } from '../../../http/sending/stream-of.js';

const blockBytes = 16;

const zeros = Buffer.alloc(sliceBytes);

/** The bytes of a range, in slices that are made as they are taken. */
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
