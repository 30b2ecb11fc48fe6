/** What the resources to cache accept and return, and how they are described. */

import { Type } from 'typebox';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import {
  cacheControl,
  contentSecurityPolicy,
  ifMatch,
  ifNoneMatch,
  noSniff,
  optional,
  vary,
} from '../../../http/schemas/header-schemas.js';
import { anyBody } from '../../../kit/describe/any-body.js';
import { choicesSchema } from './choices.js';

const params = Type.Object({
  name: Type.String({
    pattern: '^[\\w.-]{1,64}$',
    description: '1 to 64 letters, digits, dots, underscores and hyphens. Any is there.',
  }),
});

const text = Type.String();
const date = Type.Optional(Type.String({ description: 'As HTTP writes dates.' }));

const conditions = {
  ...ifNoneMatch,
  ...ifMatch,
  'If-Modified-Since': date,
  'If-Unmodified-Since': date,
  'Accept-Language': Type.Optional(
    Type.String({
      description: 'As an example: of what Vary names, the response shows the values.',
    }),
  ),
};

const cachingResponseHeaders = optional({
  ...cacheControl,
  ...vary,
  ...noSniff,
  ...contentSecurityPolicy,
  ETag: Type.String({ pattern: '^(?:W/)?"[^"]*"$' }),
  'Last-Modified': text,
  Age: Type.Integer({ minimum: 0 }),
  Expires: text,
});

const resourceSchema = Type.Object(
  {
    name: text,
    version: Type.Integer({ description: 'One more with each PUT.' }),
    variant: Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        additionalProperties: { type: ['string', 'null'] },
        description: 'The values of the headers in Vary that this is for.',
      }),
    ),
  },
  { title: 'CachedResource' },
);

export const give = {
  summary: 'Get a resource whose caching you choose',
  description:
    'The choices of the query apply to this request only; PUT stores choices. Conditional requests follow RFC 9110 section 13.2.2. Without any choice there is an ETag and no Cache-Control.',
  params,
  querystring: choicesSchema,
  described: { headers: conditions },
  response: {
    200: {
      description: 'The resource, or what was PUT there.',
      content: {
        'application/json': { schema: resourceSchema },
        '*/*': { schema: Type.Unknown() },
      },
    },
    304: { type: 'null' },
    400: errorSchema,
    412: errorSchema,
  },
  responseHeaders: { 200: cachingResponseHeaders, 304: cachingResponseHeaders },
};

export const change = {
  summary: 'Change the resource, and how it may be cached',
  description:
    'In a sandbox of your own. A body of text, at most 64 KiB, is what is given from then on; without one, a description of the resource is.',
  params,
  querystring: choicesSchema,
  described: { headers: conditions, ...anyBody },
  response: {
    200: Type.Object({
      name: text,
      version: Type.Integer(),
      changedAt: Type.String({ description: 'By the clock of the sandbox.' }),
      url: text,
    }),
    400: errorSchema,
    403: errorSchema,
    412: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
  responseHeaders: { 200: optional({ ETag: text }) },
};

const hitSchema = Type.Object({
  at: Type.String({ description: 'By the clock of the sandbox.' }),
  method: text,
  target: Type.String({ description: 'The path inside the sandbox, and the query.' }),
  status: Type.Integer({ description: 'Of the response; 304 is a hit as well.' }),
  headers: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Conditions, Cache-Control, and what the response varies by.',
  }),
});

export const listHits = {
  summary: 'List the requests that reached the origin',
  description:
    'In a sandbox of your own: the newest 100, the oldest of them first. Responses that a cache sent by itself are not among them.',
  params,
  response: {
    200: Type.Object({
      name: text,
      count: Type.Integer({ description: 'Of all, also those that are listed no more.' }),
      hits: Type.Array(hitSchema),
    }),
    400: errorSchema,
    403: errorSchema,
  },
};
