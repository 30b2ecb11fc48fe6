/** Content codings that are wrong in one way each, as clients meet them. */

import type { Coding } from '../../../http/codings/encode-body.js';

export type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Enough for a checksum, where there is one, and some of the data. */
const cutBytes = 16;

/** All but the end of a body, which alone is held back. */
export async function* withoutEnd(body: Pieces): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of body) {
    const both = held.length === 0 ? piece : Buffer.concat([held, piece]);
    const cut = Math.max(0, both.length - cutBytes);
    held = both.subarray(cut);
    if (cut > 0) yield both.subarray(0, cut);
  }
}

/** The place of the first block, and bits that no decoder accepts there. */
const spoilers: Readonly<Record<Coding, readonly [place: number, bits: number]>> = {
  // A reserved kind of block: RFC 1951 section 3.2.3.
  gzip: [10, 0b110],
  deflate: [2, 0b110],
  // A window of reserved size: RFC 7932 section 9.1.
  br: [0, 0x11],
  // Another magic number: RFC 8878 section 3.1.1.
  zstd: [0, 0xff],
};

/** The same body with its first block damaged, so that nothing of it can be decoded. */
export async function* withDamage(body: Pieces, coding: Coding): AsyncGenerator<Buffer> {
  const [place, bits] = spoilers[coding];
  let passed = 0;
  for await (const piece of body) {
    const here = place - passed;
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
