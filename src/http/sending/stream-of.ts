/** Bodies that are made while clients read them: what is unsent is one piece, and not the response. */

import { Readable } from 'node:stream';
import { turns } from '../../base/work-in-turns.js';
import type { Request } from '../exchange.js';

type Pieces<Piece> = Iterable<Piece> | AsyncIterable<Piece>;

/** Returns what a handler returns to send what `make` yields; HEAD gets only the headers, and nothing is made. */
export function streamOf(
  { method }: Request,
  make: () => Readable | Pieces<Buffer | string>,
): Readable {
  // A stream would be read to its end.
  const made = method === 'HEAD' ? [] : make();
  return made instanceof Readable ? made : Readable.from(made);
}

/** Yields the same pieces, each after the first made in a turn of its own. */
export async function* inTurns(pieces: Pieces<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    yield piece;
    await turns.next();
  }
}

/** No slice is longer. */
export const sliceBytes = 64 * 1024;

/** Short pieces go together up to this length. */
const gatheredLength = 48 * 1024;

/** Yields the same bytes in pieces that are neither tiny nor long, in turns. */
export async function* inSlices(pieces: Pieces<string | Buffer>): AsyncGenerator<Buffer> {
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

export function* slicesOf(bytes: Buffer, length = sliceBytes): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += length) {
    yield bytes.subarray(start, start + length);
  }
}
