/** Right parts of responses. */

import { continuation, data, flags, headers, maxFrameBytes } from '../frames/frames.js';
import { block, type Field } from '../frames/hpack.js';

export const ok: readonly Field[] = [
  [':status', '200'],
  ['content-type', 'text/plain'],
];

export const headOf = (stream: number, ...more: readonly Field[]) =>
  headers(stream, [...ok, ...more]);

export const textOf = (bytes: number) => 'a'.repeat(bytes);

export const hello = (stream: number) => data(stream, 'hello');

export const times = <Value>(count: number, make: (at: number) => Value) =>
  Array.from({ length: count }, (_, at) => make(at));

/** A field block in HEADERS and CONTINUATION frames of this size. */
export function inPieces(stream: number, bytes: Buffer, size = maxFrameBytes): Buffer {
  const pieces = times(Math.ceil(bytes.length / size), (at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const frames = pieces.map((piece, at) => {
    const flag = at === pieces.length - 1 ? flags.endHeaders : 0;
    return at === 0 ? headers(stream, piece, flag) : continuation(stream, piece, flag);
  });
  return Buffer.concat(frames);
}

/** A response whose field block ends with these representations. */
export const blockOf = (stream: number, ...more: readonly Buffer[]) =>
  headers(stream, Buffer.concat([block(ok), ...more]));
