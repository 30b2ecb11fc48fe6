/** Bodies that are made while clients read them: only one chunk is unsent, and not the response. */

import { Readable } from 'node:stream';
import { turns } from '#base/work-in-turns.js';
import type { Request } from '../exchange.js';

type Pieces<Piece> = Iterable<Piece> | AsyncIterable<Piece>;

/**
 * Returns a handler's result that sends the chunks of `make`; HEAD gets only the headers, and
 * nothing is made.
 */
export function streamOf(
  { method }: Request,
  make: () => Readable | Pieces<Buffer | string>,
): Readable {
  // HEAD would read a stream to its end.
  const made = method === 'HEAD' ? [] : make();
  if (made instanceof Readable) return made;
  return Symbol.iterator in made ? new PieceStream(made) : Readable.from(made);
}

/** Reads each piece when it is wanted, without the promises of `Readable.from`. */
class PieceStream extends Readable {
  readonly #pieces: Iterator<Buffer | string>;

  constructor(pieces: Iterable<Buffer | string>) {
    super({ objectMode: true, highWaterMark: 1 });
    this.#pieces = pieces[Symbol.iterator]();
  }

  override _read(): void {
    const { done, value } = this.#pieces.next();
    this.push(done ? null : value);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#pieces.return?.();
    callback(error);
  }
}

/** Yields the same chunks, each after the first in a separate turn. */
export async function* inTurns(pieces: Pieces<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    yield piece;
    await turns.next();
  }
}

/** Maximum size of a slice. */
export const sliceBytes = 64 * 1024;

/** Short chunks are joined up to this length. */
const gatheredLength = 48 * 1024;

/** Yields the same bytes in chunks of moderate size, in turns. */
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
