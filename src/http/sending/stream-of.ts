/** Bodies that are made as they are taken. */

import { Readable } from 'node:stream';
import { turns } from '../../base/work-in-turns.js';
import type { Request } from '../exchange.js';

type Pieces = Iterable<Buffer | string> | AsyncIterable<Buffer | string>;

/** What a handler returns to send what `make` gives; HEAD gets the headers alone, and nothing is made. */
export function streamOf({ method }: Request, make: () => Readable | Pieces): Readable {
  // A stream would be read to its end.
  const made = method === 'HEAD' ? [] : make();
  return made instanceof Readable ? made : Readable.from(made);
}

/** The same pieces, each after the first made when its turn has come. */
export async function* inTurns(
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    yield piece;
    await turns.next();
  }
}
