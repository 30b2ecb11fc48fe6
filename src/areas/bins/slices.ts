/** Long answers in pieces that sockets take: what is not yet sent is one piece, and not the answer. */

/** No piece is longer. */
export const sliceBytes = 64 * 1024;

/** Short pieces go together up to this length. */
const gatheredLength = 48 * 1024;

/** The same bytes, in pieces that are neither tiny nor long; made when the reader takes them. */
export async function* inSlices(
  pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
): AsyncGenerator<Buffer> {
  let gathered = '';
  for await (const piece of pieces) {
    if (typeof piece !== 'string') {
      yield* cut(piece);
      continue;
    }
    gathered += piece;
    if (gathered.length < gatheredLength) continue;
    const bytes = Buffer.from(gathered);
    gathered = '';
    yield* cut(bytes);
  }
  if (gathered !== '') yield* cut(Buffer.from(gathered));
}

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    yield bytes.subarray(start, start + sliceBytes);
  }
}
