/** Messages with their prefix: a byte of flags, and four bytes of length. */

import { gunzipSync, gzipSync } from 'node:zlib';
import { RpcError } from './rpc-error.js';

const prefixBytes = 5;

/** The default limit of most clients. */
export const maxMessageBytes = 4 * 1024 * 1024;

/** Limit for a request with one message. */
export const maxUnaryBytes = prefixBytes + maxMessageBytes;

export const flags = { plain: 0, compressed: 1, connectEnd: 2, webTrailers: 0x80 } as const;

export function frame(flag: number, message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(prefixBytes + message.length);
  framed[0] = flag;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, prefixBytes);
  return framed;
}

export interface Frame {
  readonly flag: number;
  readonly bytes: Buffer;
}

/** Splits a body into messages, whatever its chunks are. */
export class FrameParser {
  #chunks: Buffer[] = [];
  #length = 0;
  #wanted = prefixBytes;

  /** Bytes that wait for the rest of their message. */
  get pendingBytes(): number {
    return this.#length;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** Returns the next message, once it is complete. Throws if it is too long. */
  next(): Frame | undefined {
    if (this.#length < this.#wanted) return undefined;
    const [first] = this.#chunks;
    const all = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    const length = all.readUInt32BE(1);
    if (length > maxMessageBytes) throw tooLong(length);
    this.#wanted = prefixBytes + length;
    if (all.length < this.#wanted) return undefined;
    const found = { flag: all[0] ?? 0, bytes: all.subarray(prefixBytes, this.#wanted) };
    this.#chunks = all.length > this.#wanted ? [all.subarray(this.#wanted)] : [];
    this.#length -= this.#wanted;
    this.#wanted = prefixBytes;
    return found;
  }

  /** Throws if the body ends in the middle of a message. */
  end(): void {
    if (this.#length === 0) return;
    throw new RpcError('INTERNAL', 'The request ends in the middle of a message.');
  }
}

function tooLong(bytes: number): RpcError {
  return new RpcError(
    'RESOURCE_EXHAUSTED',
    `The message has ${bytes} bytes; the limit is ${maxMessageBytes}.`,
  );
}

export type Encoding = 'identity' | 'gzip';

const acceptedEncodings = 'identity, gzip';

/** Returns the encoding that a header names. Throws UNIMPLEMENTED for an unknown one. */
export function encodingOf(value: string | undefined, accepted: string): Encoding {
  if (value === undefined || value === 'identity') return 'identity';
  if (value === 'gzip') return 'gzip';
  throw new RpcError(
    'UNIMPLEMENTED',
    `The encoding ${value.slice(0, 100)} is not supported; these are: ${acceptedEncodings}.`,
    undefined,
    { [accepted]: acceptedEncodings },
  );
}

/** Returns the message of a frame. Throws INTERNAL for wrong flags. */
export function unpack({ flag, bytes }: Frame, encoding: Encoding): Buffer {
  if (flag === flags.plain) return bytes;
  if (flag !== flags.compressed) {
    throw new RpcError('INTERNAL', `The flags of a message must be 0 or 1; got ${flag}.`);
  }
  if (encoding !== 'identity') return decompress(bytes);
  throw new RpcError('INTERNAL', 'The message is compressed, but no encoding was announced.');
}

/** Decompresses at most the bytes of one message. */
export function decompress(bytes: Uint8Array): Buffer {
  if (bytes.length === 0) return Buffer.alloc(0);
  try {
    return gunzipSync(bytes, { maxOutputLength: maxMessageBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new RpcError(
        'RESOURCE_EXHAUSTED',
        `The decompressed message is longer than ${maxMessageBytes} bytes, the limit.`,
      );
    }
    throw new RpcError('INTERNAL', 'The message is not valid gzip.');
  }
}

export const compress = (message: Uint8Array): Buffer => gzipSync(message, { level: 1 });

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const noSextet = 255;
const sextets = new Uint8Array(256).fill(noSextet);
for (let value = 0; value < alphabet.length; value++) sextets[alphabet.charCodeAt(value)] = value;
const [space, padding] = [0x20, 0x3d];

/** Decodes Base64, whose parts may each have padding. Needs no memory for each part. */
export function fromBase64(text: Uint8Array): Buffer {
  const decoded = Buffer.allocUnsafe(Math.ceil(text.length / 4) * 3);
  let length = 0;
  let bits = 0;
  let bitCount = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0;
    const sextet = sextets[byte] ?? noSextet;
    if (sextet === noSextet) {
      if (byte !== padding && byte > space) {
        throw new RpcError('INVALID_ARGUMENT', 'The body is not valid Base64.');
      }
      // The next part begins with a new group.
      if (byte === padding) bitCount = 0;
      continue;
    }
    bits = (bits << 6) | sextet;
    bitCount += 6;
    if (bitCount < 8) continue;
    bitCount -= 8;
    decoded[length++] = bits >> bitCount;
  }
  return decoded.subarray(0, length);
}
