/** The format of a response, in a request for a chat completion. */

import type { JsonObject } from '#base/json-object.js';
import { byMember, object } from '#kit/input/fields/parts.js';
import { mapped, nullable, optional } from '#kit/input/fields/reader.js';
import { anything, boolean, text } from '#kit/input/fields/values.js';
import { namePattern } from '../read/common.js';
import { acceptSchemas, callerSchema } from '../read/schemas.js';

export interface Format {
  readonly format: JsonObject | 'json' | undefined;
  /** Whether the messages must contain the word JSON. */
  readonly needsWord: boolean;
}

const plain = object({ type: anything });

const jsonSchema = object({
  type: anything,
  json_schema: object({
    name: text({ max: 64, pattern: namePattern, isFilled: true }),
    description: optional(text()),
    schema: optional(callerSchema),
    strict: nullable(boolean),
  }),
});

export const responseFormat = byMember('type', {
  text: mapped(plain, (): Format => ({ format: undefined, needsWord: false })),
  json_object: mapped(plain, (): Format => ({ format: 'json', needsWord: true })),
  json_schema: mapped(jsonSchema, ({ json_schema: { schema, strict } }, field): Format => {
    if (schema === undefined) return { format: 'json', needsWord: false };
    const given = { path: `${field.path}.json_schema.schema`, schema, isStrict: strict === true };
    return { format: acceptSchemas([given], 'invalid_json_schema')[0], needsWord: false };
  }),
});
