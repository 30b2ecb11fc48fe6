/** What the routes of content codings take and respond with. */

import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { codings, isZstdThere } from '../../../http/codings/encode-body.js';
import { errorSchema, notAcceptableSchema } from '../../../http/schemas/error-schema.js';
import { takenCodings, vary } from '../../../http/schemas/header-schemas.js';
import { exactQuery } from '../../../kit/describe/exact-query.js';
import { codingFaults } from './break-coding.js';
import { maxExpandedBytes } from './decode-layers.js';

const mebibyte = 1024 * 1024;

const querystring = exactQuery({
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100 * mebibyte,
      description: 'So many bytes of text, once the coding is undone.',
    }),
  ),
  fault: Type.Optional(
    Type.Unsafe<(typeof codingFaults)[number]>({
      type: 'string',
      enum: [...codingFaults],
      description:
        'What is wrong with the body: labelled as another coding, without its end, damaged, coded twice and labelled once, or deflate without the frame of zlib.',
    }),
  ),
});

const response = {
  description: 'The response in the coding, or text of the size that was asked for.',
  content: {
    'application/json': {
      schema: Type.Unsafe<Buffer | Readable>(
        Type.Object({
          coding: Type.String({ description: 'The coding of this response.' }),
          acceptEncoding: Type.Union([Type.String(), Type.Null()]),
          there: Type.Array(Type.String(), { description: 'The codings that can be asked for.' }),
        }),
      ),
    },
    'text/plain': { schema: Type.Unsafe<Buffer | Readable>(Type.String()) },
  },
};

const codingHeaders = {
  'Content-Encoding': Type.Optional(Type.String({ description: 'The coding that the body has.' })),
};

export const negotiated = {
  summary: 'Get a response in the coding that Accept-Encoding prefers',
  description:
    'By its weights; between equals zstd, br, gzip, deflate. A client that rejects them all, and identity too, gets 406.',
  querystring,
  response: { 200: response, 400: errorSchema, 406: notAcceptableSchema },
  responseHeaders: { 200: { ...codingHeaders, ...vary }, 406: vary },
};

export const fixed = {
  summary: 'Get a response in this content coding',
  description: 'zstd is there where the version of Node has it; elsewhere 406 says so.',
  params: Type.Object({
    coding: Type.Unsafe<(typeof codings)[number] | 'identity'>({
      type: 'string',
      enum: [...codings, 'identity'],
    }),
  }),
  querystring,
  response: { 200: response, 400: errorSchema, ...(!isZstdThere && { 406: notAcceptableSchema }) },
  responseHeaders: { 200: codingHeaders },
};

export const decode = {
  summary: 'Decode a body by its Content-Encoding',
  description: `Several codings by comma, in the order in which they were applied; each may expand to ${maxExpandedBytes / mebibyte} MiB. The first MiB of the text is shown, as base64 where it is no UTF-8.`,
  described: {
    headers: {
      'Content-Encoding': Type.Optional(
        Type.String({ description: 'gzip, deflate, br, zstd, identity, or several by comma.' }),
      ),
    },
    body: {
      'text/plain': Type.String(),
      'application/json': Type.Unknown(),
      'application/octet-stream': Type.Unknown({ description: 'Any bytes.' }),
    },
    isBodyOptional: true as const,
  },
  response: {
    200: Type.Object({
      encodings: Type.Array(Type.String(), { description: 'As they were applied.' }),
      sentBytes: Type.Integer({ description: 'How many came.' }),
      bytes: Type.Integer({ description: 'How many there are without the codings.' }),
      text: Type.Union([Type.String(), Type.Null()]),
      textEncoding: Type.Unsafe<'utf-8' | 'base64' | 'none'>({
        type: 'string',
        enum: ['utf-8', 'base64', 'none'],
      }),
      textTruncated: Type.Boolean(),
    }),
    400: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
  responseHeaders: { 415: takenCodings },
};
