/** Encodes bodies while they are read: RFC 9110 section 8.4.1, RFC 7932, RFC 8878. */

import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';

export const codings = ['gzip', 'deflate', 'br', 'zstd'] as const;
export type Coding = (typeof codings)[number];

/** Available in Node from 22.15 and 23.8. */
interface Zstd {
  readonly createZstdCompress: () => Transform;
  readonly createZstdDecompress: (options: object) => Transform;
  readonly zstdCompressSync: (bytes: Buffer) => Buffer;
}
const zstd = zlib as unknown as Zstd;

export const isZstdThere = 'createZstdCompress' in zlib;

export const codingsThere: readonly Coding[] = codings.filter(
  (coding) => coding !== 'zstd' || isZstdThere,
);

/**
 * The best quality of brotli needs fifty times as long for a tenth less, and a larger window much
 * memory.
 */
const brotliOptions = {
  params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 5,
    [zlib.constants.BROTLI_PARAM_LGWIN]: 18,
  },
};

/** Limits windows to 8 MiB, which RFC 8878 recommends decoders to support. */
const zstdOptions = { params: { 100: 23 } };

interface Encoder {
  readonly start: () => Transform;
  readonly encodeWhole: (bytes: Buffer) => Buffer;
}

/** `raw-deflate` has no zlib frame. */
const encoders: Readonly<Record<Coding | 'raw-deflate', Encoder>> = {
  gzip: { start: zlib.createGzip, encodeWhole: zlib.gzipSync },
  deflate: { start: zlib.createDeflate, encodeWhole: zlib.deflateSync },
  'raw-deflate': { start: zlib.createDeflateRaw, encodeWhole: zlib.deflateRawSync },
  br: {
    start: () => zlib.createBrotliCompress(brotliOptions),
    encodeWhole: (bytes) => zlib.brotliCompressSync(bytes, brotliOptions),
  },
  zstd: { start: zstd.createZstdCompress, encodeWhole: zstd.zstdCompressSync },
};

const decoders: Readonly<Record<Coding, () => Transform>> = {
  gzip: zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  zstd: () => zstd.createZstdDecompress(zstdOptions),
};

/** Options of decoders, in addition to zlib's defaults. */
export const decoderOptions: Readonly<Record<Coding, object>> = {
  gzip: {},
  deflate: {},
  br: {},
  zstd: zstdOptions,
};

const mebibyte = 1024 * 1024;

/** Approximate memory of an encoder: measured, for zstd by its parameters. */
export const encoderBytes: Readonly<Record<Coding, number>> = {
  gzip: mebibyte / 2,
  deflate: mebibyte / 2,
  br: 4 * mebibyte,
  zstd: 4 * mebibyte,
};

/** Approximate memory of a decoder; brotli uses the window of the sender, at most 16 MiB. */
export const decoderBytes: Readonly<Record<Coding, number>> = {
  gzip: mebibyte / 2,
  deflate: mebibyte / 2,
  br: 17 * mebibyte,
  zstd: 9 * mebibyte,
};

type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Encodes a body of some kilobytes at once, so that no encoder is held while others wait. */
export function encodeWhole(body: Buffer, coding: Coding | 'raw-deflate'): Buffer {
  return encoders[coding].encodeWhole(body);
}

/** Encodes a body no further than it is read. */
export function encodeBody(body: Pieces, coding: Coding | 'raw-deflate'): Readable {
  return through(body, encoders[coding].start());
}

/** Decodes a body of any size; the stream fails with the error of zlib. */
export function decodeBody(body: Pieces, coding: Coding): Readable {
  return through(body, decoders[coding]());
}

function through(body: Pieces, coder: Transform): Readable {
  // If either stream ends, so does the other, and the reader gets the error.
  pipeline(Readable.from(body, { objectMode: false }), coder, () => {});
  return coder;
}

/** Returns the coding of a name in a header, which may be an older name (section 8.4.1). */
export function codingNamed(name: string): Coding | 'identity' | undefined {
  const lower = name.trim().toLowerCase();
  if (lower === 'identity') return 'identity';
  const plain = lower === 'x-gzip' ? 'gzip' : lower;
  return codings.find((coding) => coding === plain);
}
