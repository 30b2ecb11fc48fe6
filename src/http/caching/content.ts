/**
 * Serves bytes from memory, with strong validators and content codings: RFC 9110 sections 8.8 and
 * 12.5.
 */

import { createHash, type Hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Type } from 'typebox';
import { shareBytes } from '#wire/measured-response.js';
import type { Reply, Request } from '../exchange.js';
import { negotiateCoding } from '../negotiation/negotiate-coding.js';
import { entityTag, noSniff, vary } from '../schemas/header-schemas.js';
import { addVary } from './caching.js';
import { matchesEntityTag } from './conditional.js';

type Encoding = keyof typeof compressors;

export interface Content {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Opaque part of the entity tag; each coding adds a suffix. */
  readonly hash: string;
  /** Codings that were requested so far; compressed once, off the main thread. */
  readonly compressed: Map<Encoding, Promise<Buffer>>;
  readonly isKept: boolean;
}

/** Smaller contents fit into a packet uncompressed. */
const worthCompressingBytes = 1000;
const compressible = /^(?:text\/|application\/(?:json|wasm|yaml)|font\/ttf|image\/svg\+xml)/;

const contentHeaders = { ...entityTag, ...noSniff, Vary: Type.Optional(vary.Vary) };
export const contentResponseHeaders = {
  200: {
    ...contentHeaders,
    'Content-Encoding': Type.Optional(Type.String({ enum: ['br', 'gzip'] })),
  },
  304: contentHeaders,
};

/** Makes a content that is kept, so that all its responses share the bytes. */
export function contentOf(bytes: Buffer, contentType: string): Content {
  shareBytes(bytes);
  return { ...passingContent(bytes, contentType), isKept: true };
}

/** Makes a content for few responses, which hold its bytes while they wait. */
export function passingContent(bytes: Buffer, contentType: string, hash = hashOf(bytes)): Content {
  return { bytes, contentType, hash, compressed: new Map(), isKept: false };
}

export function hashOf(bytes: string | Buffer): string {
  return shortHash(createHash('sha256').update(bytes));
}

export function shortHash(hash: Hash): string {
  return hash.digest('base64url').slice(0, 22);
}

/** Sends `content`, or 304 if the client has it. The caller sets other headers. */
export async function sendContent(
  request: Request,
  reply: Reply,
  content: Content,
): Promise<Reply> {
  const { bytes, contentType, hash } = content;
  const isCompressible = bytes.length >= worthCompressingBytes && compressible.test(contentType);
  if (isCompressible) addVary(reply, 'Accept-Encoding');
  const encoding = isCompressible ? encodingFor(request, content) : undefined;
  // A strong tag identifies exact bytes, and each coding has different bytes.
  const tag = encoding === undefined ? `"${hash}"` : `"${hash}-${encoding}"`;
  reply.header('etag', tag).header('x-content-type-options', 'nosniff');
  if (matchesEntityTag(request.headers['if-none-match'], tag)) return reply.code(304).send();

  reply.header('content-type', contentType);
  if (encoding === undefined) return reply.send(bytes);
  const compressed = await compress(content, encoding);
  return reply.header('content-encoding', encoding).send(compressed);
}

/**
 * Contents that wait for compression do not count as unsent bytes. Clients that invent hosts could
 * accumulate them, and occupy all threads of the pool. Beyond this many bytes, contents that are
 * not kept are sent uncompressed.
 */
const maxWaitingBytes = 6 * 1024 * 1024;
let waitingBytes = 0;

/** Sends identity even to a client that rejects it, as section 12.5.3 allows. */
function encodingFor({ headers }: Request, content: Content): Encoding | undefined {
  const coding = negotiateCoding(headers['accept-encoding'], ['br', 'gzip']);
  if (coding === undefined || coding === 'identity') return undefined;
  if (content.isKept || content.compressed.has(coding)) return coding;
  return waitingBytes + content.bytes.length > maxWaitingBytes ? undefined : coding;
}

async function compress({ bytes, compressed, isKept }: Content, encoding: Encoding) {
  const known = compressed.get(encoding);
  if (known !== undefined) return known;
  waitingBytes += bytes.length;
  const result = compressors[encoding](bytes).finally(() => {
    waitingBytes -= bytes.length;
  });
  compressed.set(encoding, result);
  if (isKept) shareBytes(await result);
  return result;
}

const compressors = {
  // The best quality needs fifty times as long for a tenth less.
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 6,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};
