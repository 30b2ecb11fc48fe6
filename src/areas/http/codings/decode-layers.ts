/** Undoes the content codings of a body that was sent, with a limit on what each expands to. */

import type { Transform } from 'node:stream';
import { type Coding, decodeBody } from '../../../http/codings/encode-body.js';
import { HttpError } from '../../../http/http-error.js';

export const maxExpandedBytes = 10 * 1024 * 1024;

/** As many are undone, one behind the other. */
export const maxCodings = 5;

export interface Decoded {
  /** The first bytes. */
  readonly bytes: Buffer;
  /** How many there are. */
  readonly size: number;
}

/**
 * `codings` in the order in which they were applied. Keeps the first `keepBytes`; throws 413 where a layer expands to
 * more than there may be, and 400 where one is not what it claims to be.
 */
export async function decodeLayers(
  body: Buffer,
  codings: readonly Coding[],
  keepBytes: number,
): Promise<Decoded> {
  let layer: AsyncIterable<Buffer> | Iterable<Buffer> = cut(body);
  for (const [place, coding] of [...codings.entries()].reverse()) {
    layer = bounded(
      decodeBody(layer, coding),
      `${coding}${codings.length > 1 ? ` (number ${place + 1})` : ''}`,
    );
  }
  const kept: Buffer[] = [];
  let size = 0;
  for await (const piece of layer) {
    if (size < keepBytes) kept.push(piece.subarray(0, keepBytes - size));
    size += piece.length;
  }
  return { bytes: Buffer.concat(kept), size };
}

const pieceBytes = 64 * 1024;

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes);
  }
}

/** Also of layers in between: what they expand to is work, whatever the next one makes of it. */
async function* bounded(layer: Transform | AsyncIterable<Buffer>, name: string) {
  let size = 0;
  try {
    for await (const piece of layer as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxExpandedBytes) throw tooLarge(name);
      yield piece;
    }
  } catch (error) {
    throw error instanceof HttpError ? error : notCoded(name, error as Error);
  }
}

function tooLarge(name: string): HttpError {
  const limit = `${maxExpandedBytes / 1024 / 1024} MiB (${maxExpandedBytes} bytes)`;
  return new HttpError(413, `Undone, the coding ${name} is larger than ${limit}.`);
}

function notCoded(name: string, { message }: Error): HttpError {
  const isFrameless = name.startsWith('deflate') && /header|compression method/.test(message);
  const hint = isFrameless
    ? ' HTTP means the zlib format (RFC 1950) by deflate, and not its bare data.'
    : '';
  return new HttpError(400, `The body is not ${name}: ${message}.${hint}`);
}
