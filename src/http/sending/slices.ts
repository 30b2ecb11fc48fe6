/** Long responses in pieces that sockets take: what is not yet sent is one piece, and not the response. */

import { turns } from '../../base/work-in-turns.js';

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
    if (gathered !== '') yield* cutInTurns(Buffer.from(gathered));
    gathered = '';
    if (typeof piece !== 'string') yield* cutInTurns(piece);
  }
  if (gathered !== '') yield* cut(Buffer.from(gathered));
}

/** Whatever comes after one of these slices is made in a turn of its own. */
async function* cutInTurns(bytes: Buffer): AsyncGenerator<Buffer> {
  for (const slice of cut(bytes)) {
    yield slice;
    await turns.next();
  }
}

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    yield bytes.subarray(start, start + sliceBytes);
  }
}
