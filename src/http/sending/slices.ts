/** Long responses in pieces that sockets take: what is not yet sent is one piece, and not the response. */

import { inTurns } from './stream-of.js';

/** No piece is longer. */
export const sliceBytes = 64 * 1024;

/** Short pieces go together up to this length. */
const gatheredLength = 48 * 1024;

/**
 * The same bytes, in pieces that are neither tiny nor long; made when the reader takes them and, after the
 * first, when its turn has come.
 */
export async function* inSlices(
  pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
): AsyncGenerator<Buffer> {
  let gathered = '';
  for await (const piece of pieces) {
    if (typeof piece === 'string') {
      gathered += piece;
      if (gathered.length < gatheredLength) continue;
    }
    if (gathered !== '') yield* inTurns(slicesOf(Buffer.from(gathered)));
    gathered = '';
    if (typeof piece !== 'string') yield* inTurns(slicesOf(piece));
  }
  if (gathered !== '') yield* slicesOf(Buffer.from(gathered));
}

/** Cuts bytes into slices of 64 KiB, or of another length. */
export function* slicesOf(bytes: Buffer, length = sliceBytes): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += length) {
    yield bytes.subarray(start, start + length);
  }
}
