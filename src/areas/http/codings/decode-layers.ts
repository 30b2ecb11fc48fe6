/** Undoes the content codings of a body that was sent, with a limit on what each expands to. */

import { type Coding, decodeBody } from '../../../http/codings/encode-body.js';
import { HttpError } from '../../../http/http-error.js';
import { slicesOf } from '../../../http/sending/slices.js';
import type { Pieces } from './break-coding.js';

export const maxExpandedBytes = 10 * 1024 * 1024;

/**
 * `codings` in the order in which they were applied. Keeps the first `keepBytes`, and counts all; throws 413 where a
 * layer expands to more than there may be, and 400 where one is not what it claims to be.
 */
export async function decodeLayers(body: Buffer, codings: readonly Coding[], keepBytes: number) {
  let layer: Pieces = slicesOf(body);
  for (const [place, coding] of [...codings.entries()].reverse()) {
    const number = codings.length > 1 ? ` (number ${place + 1})` : '';
    layer = bounded(decodeBody(layer, coding), coding + number);
  }
  const kept: Buffer[] = [];
  let size = 0;
  for await (const piece of layer) {
    if (size < keepBytes) kept.push(piece.subarray(0, keepBytes - size));
    size += piece.length;
  }
  return { bytes: Buffer.concat(kept), size };
}

/** Also of layers in between: what they expand to is work, whatever the next one makes of it. */
async function* bounded(layer: AsyncIterable<Buffer>, name: string) {
  let size = 0;
  try {
    for await (const piece of layer) {
      size += piece.length;
      if (size > maxExpandedBytes) {
        const limit = `${maxExpandedBytes / 1024 / 1024} MiB (${maxExpandedBytes} bytes)`;
        throw new HttpError(413, `Undone, the coding ${name} is larger than ${limit}.`);
      }
      yield piece;
    }
  } catch (error) {
    throw error instanceof HttpError ? error : notCoded(name, error as Error);
  }
}

function notCoded(name: string, { message }: Error): HttpError {
  const isFrameless = name.startsWith('deflate') && /header|compression method/.test(message);
  const hint = isFrameless
    ? ' HTTP means the zlib format (RFC 1950) by deflate, and not its bare data.'
    : '';
  return new HttpError(400, `The body is not ${name}: ${message}.${hint}`);
}
