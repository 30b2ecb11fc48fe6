/** Content codings (RFC 9110 section 8.4.1; zstd RFC 8878, br RFC 7932): bodies coded as they are taken. */

import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';

export const codings = ['gzip', 'deflate', 'br', 'zstd'] as const;
export type Coding = (typeof codings)[number];

/** Node has it from 22.15 and 23.8 on. */
interface ZlibWithZstd {
  readonly createZstdCompress?: () => Transform;
  readonly createZstdDecompress?: () => Transform;
}
const { createZstdCompress, createZstdDecompress } = zlib as ZlibWithZstd;

export const isZstdThere = createZstdCompress !== undefined && createZstdDecompress !== undefined;

/** Those that this process can make and undo. */
export const codingsThere: readonly Coding[] = codings.filter(
  (coding) => coding !== 'zstd' || isZstdThere,
);

/** The best quality of brotli takes fifty times as long for a tenth less. */
const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } };

const encoders: Readonly<Record<Coding | 'raw-deflate', () => Transform>> = {
  gzip: () => zlib.createGzip(),
  deflate: () => zlib.createDeflate(),
  'raw-deflate': () => zlib.createDeflateRaw(),
  br: () => zlib.createBrotliCompress(brotliOptions),
  zstd: () => there(createZstdCompress)(),
};

const decoders: Readonly<Record<Coding, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  zstd: () => there(createZstdDecompress)(),
};

function there(create: (() => Transform) | undefined): () => Transform {
  if (create === undefined) throw new Error('This version of Node has no zstd.');
  return create;
}

/** The same body in a coding, no further ahead than its reader; `raw-deflate` is without the frame of zlib. */
export function encodeBody(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  coding: Coding | 'raw-deflate',
): Readable {
  return through(body, encoders[coding]());
}

/** Throws what zlib finds wrong, and with it ends; there is no bound on what comes out. */
export function decodeBody(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  coding: Coding,
): Readable {
  return through(body, decoders[coding]());
}

function through(body: Iterable<Buffer> | AsyncIterable<Buffer>, coder: Transform): Readable {
  // Whatever ends one of the two ends the other, and a reader of the coder gets to know why.
  pipeline(Readable.from(body, { objectMode: false }), coder, () => {});
  return coder;
}

/** The coding that goes by a name in a header, where the older names count as well (section 8.4.1). */
export function codingNamed(name: string): Coding | 'identity' | undefined {
  const lower = name.trim().toLowerCase();
  if (lower === 'identity') return 'identity';
  const plain = lower === 'x-gzip' ? 'gzip' : lower;
  return codings.find((coding) => coding === plain);
}
