/** Wrong formats of chat completions. */

import type { Rejected } from './rejected.js';

const format = (schema: object) => ({
  response_format: { type: 'json_schema', json_schema: schema },
});

export const wrongFormats: readonly Rejected[] = [
  {
    title: 'an unknown response format',
    change: { response_format: { type: 'xml' } },
    param: 'response_format.type',
    code: 'invalid_value',
    message:
      "Invalid value 'xml' for 'response_format.type': use 'text', 'json_object', 'json_schema'.",
  },
  {
    title: 'a schema without a name',
    change: format({ schema: { type: 'object' } }),
    param: 'response_format.json_schema.name',
    code: 'missing_required_parameter',
    message: "Parameter 'response_format.json_schema.name' is required.",
  },
  {
    title: 'a schema name with a space',
    change: format({ name: 'a b', schema: { type: 'object' } }),
    param: 'response_format.json_schema.name',
    code: 'invalid_value',
    message: "Invalid 'response_format.json_schema.name': it must match ^[a-zA-Z0-9_-]+$.",
  },
  {
    title: 'a schema of an array',
    change: format({ name: 'x', schema: { type: 'array' } }),
    param: 'response_format.json_schema.schema',
    code: 'invalid_json_schema',
    message: "Invalid schema 'response_format.json_schema.schema': its type must be 'object'.",
  },
  {
    title: 'a strict schema that allows others',
    change: format({ name: 'x', strict: true, schema: { type: 'object', properties: {} } }),
    param: 'response_format.json_schema.schema',
    code: 'invalid_json_schema',
    message:
      "Invalid schema 'response_format.json_schema.schema': strict schemas need additionalProperties false.",
  },
  {
    title: 'JSON without the word',
    change: { response_format: { type: 'json_object' } },
    param: 'messages',
    code: null,
    message: "The messages must contain the word 'json' for the format json_object.",
  },
];
