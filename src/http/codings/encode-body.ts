/** Content codings (RFC 9110 section 8.4.1; zstd RFC 8878, br RFC 7932): bodies coded as they are taken. */

import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';

export const codings = ['gzip', 'deflate', 'br', 'zstd'] as const;
export type Coding = (typeof codings)[number];

/** Node has it from 22.15 and 23.8 on. */
interface ZlibWithZstd {
  readonly createZstdCompress?: () => Transform;
  readonly createZstdDecompress?: (options: object) => Transform;
  readonly zstdCompressSync?: (bytes: Buffer) => Buffer;
}
const { createZstdCompress, createZstdDecompress, zstdCompressSync } = zlib as ZlibWithZstd;

export const isZstdThere = createZstdCompress !== undefined && createZstdDecompress !== undefined;

/** Those that this process can make and undo. */
export const codingsThere: readonly Coding[] = codings.filter(
  (coding) => coding !== 'zstd' || isZstdThere,
);

/** The best quality of brotli takes fifty times as long for a tenth less, and a larger window much memory. */
const brotliOptions = {
  params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 5,
    [zlib.constants.BROTLI_PARAM_LGWIN]: 18,
  },
};

/** Of zstd's own parameter for windows of 8 MiB at most, which is what RFC 8878 asks decoders for. */
const zstdOptions = { params: { 100: 23 } };

const mebibyte = 1024 * 1024;

/** About what making a body in a coding holds while it goes on, measured; zstd's by its parameters. */
export const encoderBytes: Readonly<Record<Coding | 'raw-deflate', number>> = {
  gzip: mebibyte / 2,
  deflate: mebibyte / 2,
  'raw-deflate': mebibyte / 2,
  br: 4 * mebibyte,
  zstd: 4 * mebibyte,
};

/** The same of undoing one; what brotli holds is the window that the sender chose, at most 16 MiB. */
export const decoderBytes: Readonly<Record<Coding, number>> = {
  gzip: mebibyte / 2,
  deflate: mebibyte / 2,
  br: 17 * mebibyte,
  zstd: 9 * mebibyte,
};

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
  zstd: () => there(createZstdDecompress)(zstdOptions),
};

function there<Create>(create: Create | undefined): Create {
  if (create === undefined) throw new Error('This version of Node has no zstd.');
  return create;
}

const wholeEncoders: Readonly<Record<Coding | 'raw-deflate', (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => zlib.gzipSync(bytes),
  deflate: (bytes) => zlib.deflateSync(bytes),
  'raw-deflate': (bytes) => zlib.deflateRawSync(bytes),
  br: (bytes) => zlib.brotliCompressSync(bytes, brotliOptions),
  zstd: (bytes) => there(zstdCompressSync)(bytes),
};

/** A short body, of some kilobytes at most: at once, so that its coder holds nothing while others wait. */
export function encodeWhole(body: Buffer, coding: Coding | 'raw-deflate'): Buffer {
  return wholeEncoders[coding](body);
}

/** The same body in a coding, no further ahead than its reader; `raw-deflate` is without the frame of zlib. */
export function encodeBody(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  coding: Coding | 'raw-deflate',
): Readable {
  return through(body, encoders[coding]());
}

/** Throws what zlib finds wrong, and with it ends; there is no limit on what comes out. */
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
