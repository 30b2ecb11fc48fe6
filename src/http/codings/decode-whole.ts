/** Decodes the content codings of a small body at once: RFC 9110 section 8.4. */

import * as zlib from 'node:zlib';
import { type Coding, codingNamed, decoderOptions } from './encode-body.js';

/** The reason why a body could not be decoded. */
export interface CodingFault {
  readonly fault: string;
}

/** More than any sender needs. */
const maxCodings = 3;

/**
 * Decodes the codings of a Content-Encoding header. Returns `undefined` if it lists no known
 * coding, and a fault for a body that is damaged, or that becomes larger than `maxBytes`.
 */
export function decodeWhole(
  body: Buffer,
  contentEncoding: string,
  maxBytes: number,
): Buffer | CodingFault | undefined {
  const named = contentEncoding.split(',').map(codingNamed);
  const codings = named.filter((coding) => coding !== 'identity');
  if (codings.length === 0 || codings.length > maxCodings) return undefined;
  let decoded = body;
  for (const coding of codings.reverse()) {
    if (coding === undefined) return undefined;
    const next = decodeOnce(decoded, coding, maxBytes);
    if (!Buffer.isBuffer(next)) return next;
    decoded = next;
  }
  return decoded;
}

const decoders: Readonly<Record<Coding, (body: Buffer, options: object) => Buffer>> = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: (body, options) =>
    (
      zlib as unknown as { zstdDecompressSync: (bytes: Buffer, options: object) => Buffer }
    ).zstdDecompressSync(body, options),
};

function decodeOnce(body: Buffer, coding: Coding, maxBytes: number) {
  try {
    return decoders[coding](body, { ...decoderOptions[coding], maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      return { fault: `The decoded body is larger than ${maxBytes} bytes.` };
    }
    return { fault: `The body is not valid ${coding}.` };
  }
}
