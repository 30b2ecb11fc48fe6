/** Text of any size that shrinks to almost nothing. */

const line = 'Practice makes perfect, and this line is sixty-four bytes long.\n';
const sliceBytes = 64 * 1024;
const slice = Buffer.from(line.repeat(sliceBytes / line.length));

/** All slices are parts of one in memory. */
export function* linesOf(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= sliceBytes) {
    yield slice.subarray(0, Math.min(left, sliceBytes));
  }
}
