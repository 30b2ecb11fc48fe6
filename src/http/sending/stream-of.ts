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

/** Yields the same pieces, and leaves time for other clients in between. */
export async function* inTurns<Piece>(pieces: Pieces<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    yield piece;
    await turns.whenFree();
  }
}

/** No slice is longer. */
export const sliceBytes = 64 * 1024;

/** Short pieces go together up to this length. */
const gatheredLength = 48 * 1024;

/** Yields the same bytes in pieces that are neither tiny nor long, each made in a turn of its own. */
export async function* inSlices(pieces: Pieces<string | Buffer>): AsyncGenerator<Buffer> {
  let gathered = '';
  for await (const piece of pieces) {
    if (typeof piece === 'string') {
      gathered += piece;
      if (gathered.length < gatheredLength) continue;
    }
    if (gathered !== '') yield* cutInTurns(Buffer.from(gathered));
    gathered = '';
    if (typeof piece !== 'string') yield* cutInTurns(piece);
  }
  if (gathered !== '') yield* slicesOf(Buffer.from(gathered));
}

async function* cutInTurns(bytes: Buffer): AsyncGenerator<Buffer> {
  for (const slice of slicesOf(bytes)) {
    yield slice;
    await turns.next();
  }
}

export function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    yield bytes.subarray(start, start + sliceBytes);
  }
}
