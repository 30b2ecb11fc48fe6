/** Bytes served from memory, with strong validators and content codings (RFC 9110 sections 8.8, 12.5). */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { addVary } from './caching.js';
import { chooseEncoding, type Encoding } from './choose-encoding.js';
import { entityTag, noSniff, vary } from './header-schemas.js';
import { matchesEntityTag } from './matches-entity-tag.js';
import { shareBytes } from './measured-response.js';

export interface Content {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** The opaque part of the entity tag, which each coding has its own suffix to. */
  readonly hash: string;
  /** What has been asked for so far; compressed once, off the main thread. */
  readonly compressed: Map<Encoding, Promise<Buffer>>;
}

/** Smaller ones fit a packet as they are. */
const worthCompressingBytes = 1000;
const compressible = /^(?:text\/|application\/(?:json|wasm|yaml)|font\/ttf|image\/svg\+xml)/;

/** The headers of its answers by status, beside those of the caller. */
const contentHeaders = {
  ...entityTag,
  ...noSniff,
  Vary: Type.Optional(vary.Vary),
};
export const contentResponseHeaders = {
  200: {
    ...contentHeaders,
    'Content-Encoding': Type.Optional(Type.String({ enum: ['br', 'gzip'] })),
  },
  304: contentHeaders,
};

export function contentOf(bytes: Buffer, contentType: string): Content {
  shareBytes(bytes);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { bytes, contentType, hash, compressed: new Map() };
}

/** Answers with `content`, or with 304 when the caller has it. Other headers are the caller's to set. */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
): Promise<FastifyReply> {
  const { bytes, contentType, hash } = content;
  const isCompressible = bytes.length >= worthCompressingBytes && compressible.test(contentType);
  if (isCompressible) addVary(reply, 'Accept-Encoding');
  const encoding = isCompressible ? chooseEncoding(request.headers['accept-encoding']) : undefined;
  // A strong tag names these bytes exactly, and each coding has other bytes.
  const tag = encoding === undefined ? `"${hash}"` : `"${hash}-${encoding}"`;
  reply.header('etag', tag).header('x-content-type-options', 'nosniff');
  if (matchesEntityTag(request.headers['if-none-match'], tag)) return reply.code(304).send();

  reply.header('content-type', contentType);
  if (encoding === undefined) return reply.send(bytes);
  const compressed = await compress(content, encoding);
  return reply.header('content-encoding', encoding).send(compressed);
}

function compress({ bytes, compressed }: Content, encoding: Encoding): Promise<Buffer> {
  let result = compressed.get(encoding);
  if (result === undefined) {
    result = compressors[encoding](bytes).then(shared);
    compressed.set(encoding, result);
  }
  return result;
}

function shared(bytes: Buffer): Buffer {
  shareBytes(bytes);
  return bytes;
}

const compressors: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  // The best quality takes fifty times as long for a tenth less.
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 6,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes),
};
