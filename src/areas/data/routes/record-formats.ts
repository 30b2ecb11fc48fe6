/** Responses with records in every format, for their description. */

import { type TSchema, Type } from 'typebox';
import { errorSchema, notAcceptableSchema } from '../../../http/schemas/error-schema.js';
import { formats } from '../formats/choose-format.js';
import { jsonApiType } from '../formats/json-api.js';

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
  // The same as JSON, which tools that parse it see.
  'application/yaml': Type.Unknown(),
};

export interface Described {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: TSchema }>>;
}

/** By media type, each by the name that is registered. */
export function everyFormat(json: TSchema, description: string): Described {
  const entries = formats.map(({ types: [type = ''] }) => [
    type,
    { schema: type === 'application/json' ? json : (others[type] ?? Type.String()) },
  ]);
  return { description, content: Object.fromEntries(entries) };
}

/** Of the rejections of reads. */
export const readErrors = { 400: errorSchema, 406: notAcceptableSchema };

/** Of the rejections of bodies. */
export const bodyErrors = { ...readErrors, 413: errorSchema, 415: errorSchema };
