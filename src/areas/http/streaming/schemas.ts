/** What the routes of streaming take and respond with. */

import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { bytesOf } from '../../../http/schemas/bytes-of.js';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { exactQuery } from '../../../kit/describe/exact-query.js';
import { maxHeldSeconds } from './handlers.js';
import { maxChunkBytes, maxChunks } from './parse-sizes.js';

const failures = { 400: errorSchema };
const text = (description: string) => Type.String({ description });

export const lines = {
  summary: 'Stream JSON in lines, at once or at intervals',
  description: `Each line is flushed as it is made. All of them come within ${maxHeldSeconds} s.`,
  params: Type.Object({
    n: Type.Integer({ minimum: 1, maximum: 1000, description: 'How many lines.' }),
  }),
  querystring: exactQuery({
    interval: Type.Number({
      minimum: 0,
      maximum: 60,
      default: 0,
      description: 'Seconds between two lines.',
    }),
  }),
  response: { 200: bytesOf('application/x-ndjson'), ...failures },
  responseHeaders: { 200: { 'X-Accel-Buffering': Type.Literal('no') } },
};

export const drip = {
  summary: 'Drip bytes evenly over some time',
  description:
    'Their number is announced in Content-Length. The first comes at once (after ?delay=, which every address supports), the last when the time is over.',
  querystring: exactQuery({
    bytes: Type.Integer({
      minimum: 1,
      maximum: 10 * 1024 * 1024,
      default: 10,
      description: 'How many bytes.',
    }),
    duration: Type.Number({
      minimum: 0,
      maximum: maxHeldSeconds,
      default: 2,
      description: 'The seconds over which they are sent.',
    }),
    status: Type.Integer({
      minimum: 200,
      maximum: 599,
      default: 200,
      description: 'The status of the response; 204, 205 and 304 have no bytes.',
    }),
  }),
  response: { 200: bytesOf('application/octet-stream'), ...failures },
  responseHeaders: { 200: { 'X-Accel-Buffering': Type.Literal('no') } },
};

export const chunks = {
  summary: 'Get chunks of the given sizes',
  description:
    'What a client reads is the same whatever the chunks are. With extensions each chunk has some that every client must pass over (RFC 9112 section 7.1.1). HTTP/1.0 has no chunks and gets the same bytes without.',
  querystring: exactQuery({
    sizes: Type.String({
      default: '1,2,3',
      maxLength: 1000,
      description: `Sizes in bytes by comma: ${maxChunks} at most, each from 1 to ${maxChunkBytes}.`,
    }),
    extensions: Type.Boolean({
      default: false,
      description: 'Whether chunks have extensions: a name, a name with a value, a quoted value.',
    }),
  }),
  response: { 200: bytesOf('text/plain'), 400: errorSchema },
};

export const trailers = {
  summary: 'Get a body with trailer fields',
  description:
    'Content-Digest (RFC 9530), Server-Timing and X-Trailer come as trailers. HTTP/1.0 has none.',
  described: {
    headers: {
      TE: Type.Optional(text('trailers, if the client keeps what follows a body.')),
    },
  },
  querystring: exactQuery({
    announce: Type.Boolean({
      default: true,
      description: 'Whether the header Trailer names them before.',
    }),
  }),
  response: {
    200: Type.Unsafe<Readable>(
      Type.Object({
        message: Type.String(),
        te: Type.Union([Type.String(), Type.Null()], {
          description: 'What TE said; trailers there says that the client keeps them.',
        }),
      }),
    ),
    400: errorSchema,
  },
  responseHeaders: {
    200: { Trailer: Type.Optional(text('The names of the fields behind the body.')) },
  },
};

export const informational = {
  summary: 'Get informational responses before the final one',
  description:
    'Early Hints have two Link fields. HTTP/1.0 gets none of them (RFC 9110 section 15.2).',
  querystring: exactQuery({
    status: Type.Array(Type.Unsafe<number>({ type: 'integer', enum: [100, 102, 103] }), {
      default: [103],
      minItems: 1,
      maxItems: 10,
      description: 'Which, in their order; give the parameter again for each.',
    }),
    wait: Type.Number({
      minimum: 0,
      maximum: 10,
      default: 0,
      description: 'Seconds between the last of them and the response.',
    }),
  }),
  response: {
    200: Type.Object({
      sent: Type.Array(Type.Integer(), { description: 'What came before this response.' }),
    }),
    ...failures,
  },
  responseHeaders: { 200: { Link: text('What the Early Hints said, once more.') } },
};
