/** What the routes of formats take and respond with. */

import { Type } from 'typebox';
import { bytesOf } from '../../../http/schemas/bytes-of.js';
import { errorSchema, notAcceptableSchema } from '../../../http/schemas/error-schema.js';
import { contentSecurityPolicy, noSniff, vary } from '../../../http/schemas/header-schemas.js';
import { exactQuery } from '../../../kit/describe/exact-query.js';
import { charsets } from './charsets.js';
import { type FormatName, formatNames, typesOf } from './write-formats.js';

const querystring = exactQuery({
  charset: Type.Unsafe<(typeof charsets)[number]>({
    type: 'string',
    enum: [...charsets],
    default: 'utf-8',
    description: 'How characters become bytes, in the formats that are text.',
  }),
  bom: Type.Boolean({
    default: false,
    description: 'Whether a byte-order mark comes first; UTF-8 and UTF-16 have one.',
  }),
  label: Type.Boolean({
    default: true,
    description: 'Whether Content-Type names the charset.',
  }),
});

/** By the name that is registered; a client may ask by another one. */
const everyType = formatNames.flatMap((name) => typesOf(name).slice(0, 1));

export const negotiated = {
  summary: 'Get a record in the format that Accept prefers',
  description: `${formatNames.join(', ')}, by the weights of Accept; the first of equals. 406 lists the media types.`,
  querystring,
  response: { 200: bytesOf(everyType), 400: errorSchema, 406: notAcceptableSchema },
  responseHeaders: { 200: { ...vary, ...noSniff, ...contentSecurityPolicy }, 406: vary },
};

export const fixed = {
  summary: 'Get a record in this format',
  description:
    'The text has characters beyond ASCII of its charset, the title characters that formats must quote.',
  params: Type.Object({
    format: Type.Unsafe<FormatName>({ type: 'string', enum: [...formatNames] }),
  }),
  querystring,
  response: { 200: bytesOf(everyType), 400: errorSchema },
  responseHeaders: { 200: { ...noSniff, ...contentSecurityPolicy } },
};

const problem = {
  content: {
    'application/problem+json': {
      schema: Type.Unsafe<Buffer>(
        Type.Object({
          type: Type.String({ format: 'uri-reference' }),
          title: Type.String(),
          status: Type.Integer(),
          detail: Type.String(),
          instance: Type.String({ format: 'uri-reference' }),
          balance: Type.Integer(),
          accounts: Type.Array(Type.String()),
        }),
      ),
    },
  },
};

export const problemDetails = {
  summary: 'Get a failure as problem details',
  description: 'RFC 9457, with two members of its own. Its status is that of the response.',
  querystring: exactQuery({
    status: Type.Integer({ minimum: 400, maximum: 599, default: 403 }),
  }),
  response: { 400: errorSchema, 403: problem },
};
