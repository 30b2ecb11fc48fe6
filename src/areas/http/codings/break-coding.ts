/** Content codings with one error each, as clients may receive them. */

import type { Coding } from '#http/codings/encode-body.js';

export type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Enough to remove a checksum, if there is one, and some of the data. */
const cutBytes = 16;

/** Removes the end of a body. Buffers only those bytes. */
export async function* withoutEnd(body: Pieces): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of body) {
    const both = held.length === 0 ? piece : Buffer.concat([held, piece]);
    const cut = Math.max(0, both.length - cutBytes);
    held = both.subarray(cut);
    if (cut > 0) yield both.subarray(0, cut);
  }
}

/** The position of the first block, and bits there that no decoder accepts. */
const spoilers: Readonly<Record<Coding, readonly [place: number, bits: number]>> = {
  // A reserved block type: RFC 1951 section 3.2.3.
  gzip: [10, 0b110],
  deflate: [2, 0b110],
  // A reserved window size: RFC 7932 section 9.1.
  br: [0, 0x11],
  // A wrong magic number: RFC 8878 section 3.1.1.
  zstd: [0, 0xff],
};

/** Damages the first block of a body, so that none of it can be decoded. */
export async function* withDamage(body: Pieces, coding: Coding): AsyncGenerator<Buffer> {
  const [index, bits] = spoilers[coding];
  let passed = 0;
  for await (const piece of body) {
    const here = index - passed;
    passed += piece.length;
    if (here >= 0 && here < piece.length) {
      const damaged = Buffer.from(piece);
      damaged[here] = coding === 'br' ? bits : (damaged[here] ?? 0) | bits;
      yield damaged;
    } else {
      yield piece;
    }
  }
}
