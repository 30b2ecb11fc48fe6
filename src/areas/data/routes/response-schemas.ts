/** Responses with records in every format, for their description. */

import { type TSchema, Type } from 'typebox';
import { notAcceptableSchema } from '../../../http/codings/not-acceptable.js';
import { errorSchema } from '../../../kit/describe/error-schema.js';
import { formats } from '../formats/choose-format.js';
import { jsonFormat } from '../formats/json.js';
import { jsonApiFormat } from '../formats/json-api.js';
import { yamlFormat } from '../formats/yaml.js';

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
  [jsonApiFormat.types[0] ?? '']: jsonApiDocument,
  // The same as JSON, which tools that parse it see.
  [yamlFormat.types[0] ?? '']: Type.Unknown(),
};

/** By media type, each by the name that is registered. */
export function everyFormat(json: TSchema, description: string) {
  const entries = formats.map(({ types: [type = ''] }) => [
    type,
    {
      schema: type === jsonFormat.types[0] ? json : (others[type] ?? Type.String()),
    },
  ]);
  return {
    description,
    content: Object.fromEntries(entries) as Readonly<Record<string, { schema: TSchema }>>,
  };
}

/** Of the rejections of reads. */
export const readErrors = { 400: errorSchema, 406: notAcceptableSchema };
