/** Bodies with chosen chunks or trailers: RFC 9112 section 7.1. */

import { Type } from 'typebox';
import { gotParameter } from '#base/text/got-value.js';
import { jsonContentType, rejectField } from '#http/http-error.js';
import { bytesOf } from '#http/schemas/bytes-of.js';
import { digestOf } from '#http/sending/digest-fields.js';
import { streamOf } from '#http/sending/stream-of.js';
import { optionalText } from '#kit/describe/value-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import { frameChunk, lastChunk, leaveFramesAlone } from './frame-chunks.js';
import { maxChunkBytes, maxChunks, parseSizes } from './parse-sizes.js';

export const sendChunks = endpoint('GET', '/api/http/chunks', {
  summary: 'Get chunks of the given sizes',
  description:
    'The body is the same, whatever the chunks. With extensions, each chunk has some, which clients must ignore (RFC 9112 section 7.1.1). HTTP/1.0 has no chunks and gets only the bytes.',
  query: {
    sizes: Type.String({
      default: '1,2,3',
      maxLength: 1000,
      description: `Sizes in bytes, separated by commas: at most ${maxChunks}, each from 1 to ${maxChunkBytes}.`,
    }),
    extensions: Type.Boolean({
      default: false,
      description: 'Whether chunks have extensions: a name, a name with a value, a quoted value.',
    }),
  },
  responses: { 200: bytesOf('text/plain') },
  examples: { 'Three chunks': { query: { sizes: '1,2,3' } } },
  handle(request, reply) {
    const { sizes: given, extensions } = request.query;
    const sizes = parseSizes(given);
    if (sizes === undefined) {
      const got = gotParameter('sizes', given);
      const message = `sizes must be integers separated by commas, at most ${maxChunks}, each from 1 to ${maxChunkBytes}${got}.`;
      rejectField('sizes', message);
    }
    reply.header('content-type', 'text/plain; charset=utf-8');
    if (request.raw.httpVersion !== '1.1') return streamOf(request, () => lettersOf(sizes));
    reply.header('transfer-encoding', 'chunked');
    leaveFramesAlone(reply.raw);
    return streamOf(request, () => framed(sizes, extensions));
  },
});

/** Yields one chunk for each size: the first of the letter a, the next of b. */
function* lettersOf(sizes: readonly number[]): Generator<Buffer> {
  for (const [index, size] of sizes.entries()) {
    yield Buffer.alloc(size, String.fromCharCode(97 + (index % 26)));
  }
}

/**
 * All forms of extensions: a name, a token, and a quoted string with characters that would confuse a careless parser.
 */
const extensionForms = [';last', ';name=value', ';text="a;b,\\"c\\" 0"', ';a=1;b="2"'];

function* framed(sizes: readonly number[], hasExtensions: boolean): Generator<Buffer> {
  let index = 0;
  for (const letters of lettersOf(sizes)) {
    yield frameChunk(letters, hasExtensions ? extensionForms[index++ % extensionForms.length] : '');
  }
  yield lastChunk;
}

export const sendTrailers = endpoint('GET', '/api/http/trailers', {
  summary: 'Get a body with trailer fields',
  description:
    'Content-Digest (RFC 9530), Server-Timing and X-Trailer are sent as trailers. HTTP/1.0 has none.',
  headers: { TE: optionalText('trailers, if the client processes trailers.') },
  query: {
    announce: Type.Boolean({
      default: true,
      description: 'Whether the header Trailer announces them.',
    }),
  },
  responses: {
    200: Type.Object({
      message: Type.String(),
      te: Type.Union([Type.String(), Type.Null()], {
        description: "The request's TE; trailers means that the client processes them.",
      }),
    }),
  },
  responseHeaders: { 200: { Trailer: optionalText('The names of the trailer fields.') } },
  examples: { Announced: { headers: { TE: 'trailers' } } },
  handle(request, reply) {
    const { headers, query, raw, method } = request;
    const message = 'Trailer fields follow this body. Many clients ignore them.';
    const body = Buffer.from(JSON.stringify({ message, te: headers.te ?? null }));
    const fields = {
      'Content-Digest': digestOf('sha-256', body),
      'Server-Timing': 'body;dur=1',
      'X-Trailer': 'the last word',
    };
    const knowsTrailers = raw.httpVersion !== '1.0' && method !== 'HEAD';
    if (query.announce && knowsTrailers) reply.header('trailer', Object.keys(fields).join(', '));
    reply.header('content-type', jsonContentType);
    return streamOf(request, function* () {
      yield body;
      if (knowsTrailers) reply.raw.addTrailers(fields);
    });
  },
});
