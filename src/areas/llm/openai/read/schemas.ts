/** JSON Schemas of callers: parameters of tools and formats of responses. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { admitSchemas, type SchemaFault } from '#json-schema/admit-schemas.js';
import { record } from '#kit/input/fields/parts.js';
import { described } from '#kit/input/fields/reader.js';
import { schemaRules } from '../../messages/schemas.js';
import { invalid } from './faults.js';
import { maxDepth, strictFault } from './strict-schemas.js';

/** A schema, its path in the request, and whether the response must follow it strictly. */
export interface GivenSchema {
  readonly path: string;
  readonly schema: JsonObject;
  readonly isStrict: boolean;
}

/** Reads a schema of an object. Strict ones allow no other properties. */
export const callerSchema = described(record, {
  type: 'object',
  properties: { type: { type: 'string', enum: ['object'] } },
  required: ['type'],
  additionalProperties: true,
  examples: [{ type: 'object', properties: {}, additionalProperties: false }],
});

/** Parameters of a tool without parameters. */
export const noParameters: JsonObject = { type: 'object', properties: {} };

/** Returns the schemas in the draft that the model knows, or rejects the first wrong one. */
export function acceptSchemas(given: readonly GivenSchema[], code: string): readonly JsonObject[] {
  const schemas = given.map(({ schema }) => toCurrentDraft(schema));
  for (const [index, { path, isStrict }] of given.entries()) {
    const fault = rootFault(schemas[index]) ?? (isStrict ? strictFault(schemas[index]) : undefined);
    if (fault !== undefined) throw invalid(path, code, `Invalid schema '${path}': ${fault}.`);
  }
  const fault = admitSchemas(Object.fromEntries(schemas.entries()), schemaRules)[0];
  if (fault !== undefined) throw wrongSchema(fault, given, code);
  return schemas;
}

function wrongSchema({ path, what }: SchemaFault, given: readonly GivenSchema[], code: string) {
  const [index, ...inside] = path;
  const at = given[Number(index ?? 0)]?.path ?? '';
  const whole = index === undefined ? 'the schemas together' : 'the schema';
  const place = inside.length === 0 ? whole : inside.join('.');
  return invalid(at, code, `Invalid schema '${at}': ${place} ${what}.`);
}

/** Generators of schemas for tools still write draft 7, with the same meaning. */
function toCurrentDraft(schema: JsonObject): JsonObject {
  const { $schema: _draft, definitions, ...others } = schema;
  if (!isObject(definitions) || '$defs' in others) return others;
  return renameReferences({ ...others, $defs: definitions }, 0) as JsonObject;
}

function renameReferences(value: unknown, depth: number): unknown {
  if (depth > maxDepth) return value;
  if (Array.isArray(value)) return value.map((each) => renameReferences(each, depth + 1));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [
    name,
    name === '$ref' && typeof each === 'string'
      ? each.replace(/^#\/definitions\//, '#/$defs/')
      : renameReferences(each, depth + 1),
  ]);
  return Object.fromEntries(members);
}

function rootFault(schema: JsonObject | undefined): string | undefined {
  return schema?.type === 'object' ? undefined : "its type must be 'object'";
}
