/** Responses of collections, for the description. */

import { type TSchema, Type } from 'typebox';
import { errorSchema, notAcceptableSchema } from '#http/schemas/error-schema.js';
import { entityTag, links, location, totalCount } from '#http/schemas/header-schemas.js';
import { jsonApiType } from '../formats/json-api.js';
import { formats } from '../formats/represent.js';

const jsonApiDocument = Type.Object(
  {
    jsonapi: Type.Object({ version: Type.String() }),
    links: Type.Optional(Type.Record(Type.String(), Type.String())),
    meta: Type.Optional(Type.Object({ total: Type.Integer() })),
    data: Type.Unknown({ description: 'A resource object, or a list of them.' }),
    included: Type.Optional(Type.Array(Type.Unknown())),
  },
  { title: 'JsonApiDocument', description: 'A document of JSON:API 1.1.' },
);

const others: Readonly<Record<string, TSchema>> = {
  [jsonApiType]: jsonApiDocument,
  // Same structure as JSON, for tools that parse it.
  'application/yaml': Type.Unknown(),
};

/** Returns the content by registered media type. */
export function everyFormat(json: TSchema, description: string) {
  const entries = formats.map(({ types: [type = ''] }) => [
    type,
    { schema: type === 'application/json' ? json : (others[type] ?? Type.String()) },
  ]);
  return { description, content: Object.fromEntries(entries) };
}

const ofReads = { 406: notAcceptableSchema };

export const errors = { read: ofReads, body: { ...ofReads, 413: errorSchema, 415: errorSchema } };

const text = (description: string) => Type.Optional(Type.String({ description }));
const figure = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

const lastModified = { 'Last-Modified': text('When the record was last written.') };

const applied = {
  'Preference-Applied': text('The preferences of Prefer that were applied (RFC 7240).'),
};

const isReplayed = {
  'Idempotency-Replayed': Type.Optional(
    Type.Literal('true', {
      description: 'Present if this is the response to an earlier request.',
    }),
  ),
};

const read = { ...entityTag, ...lastModified, ...applied };

const write = {
  200: { ...read, ...isReplayed },
  201: { ...entityTag, ...location, ...lastModified, ...applied, ...isReplayed },
  412: entityTag,
};

/** Headers by status, except for lists. */
export const headers = {
  read: { 200: read, 304: read, 412: entityTag },
  write,
  patch: {
    ...write,
    415: { 'Accept-Patch': text('The accepted types (RFC 5789 section 3.1).') },
  },
  list: {
    ...totalCount,
    ...applied,
    Link: Type.Optional(links.Link),
    'X-Page': figure('The current page, if the list is paginated.'),
    'X-Per-Page': figure('The limit, if there is one.'),
    'X-Total-Pages': figure('Number of pages with that limit.'),
  },
};
