/** The JSON Schemas of a resource's routes, made from the fields of its records. */

import { type TSchema, Type } from 'typebox';
import { maxLimit, maxSearchLength } from './list-parameters.js';
import { isTaken, type Operator } from './match-field.js';
import { timestampForm } from './read-timestamp.js';
import { type FieldSchemas, recordFields } from './record-fields.js';

const id = Type.Integer({ description: 'Given by the service, and never given twice.' });
const ownId = Type.Optional(
  Type.Integer({ description: 'Must be the one of the path, when it is sent at all.' }),
);

/** A record as it is answered: every field is there. */
export function recordSchema(fields: FieldSchemas) {
  const answered = Object.entries(fields).map(([name, schema]) => [
    name,
    without(schema, 'default'),
  ]);
  return Type.Object({ id, ...Object.fromEntries(answered) });
}

/** A record as it is created; what has a default may be left out. */
export function newRecordSchema(fields: FieldSchemas) {
  return Type.Object(optionalWithDefault(fields), { additionalProperties: false });
}

/** A record as it replaces another. */
export function replacementSchema(fields: FieldSchemas) {
  const properties = { id: ownId, ...optionalWithDefault(fields) };
  return Type.Object(properties, { additionalProperties: false });
}

/** A merge patch: any of the fields, and `null` for those that fall back to a default. */
export function patchSchema(fields: FieldSchemas) {
  const properties: Record<string, TSchema> = { id: ownId };
  for (const [name, schema] of Object.entries(fields)) {
    const { type, ...rest } = without(schema, 'default') as TSchema & { type?: string };
    const patched = hasDefault(schema) ? { ...rest, type: [type, 'null'] } : { ...rest, type };
    properties[name] = Type.Optional(Type.Unsafe<unknown>(patched));
  }
  return Type.Object(properties, { additionalProperties: false });
}

const orderOperators: readonly Operator[] = ['_gte', '_lte', '_gt', '_lt'];

/** The parameters of a list, for its description: the operators of a field stand in its own text. */
export function listQuerystring(fields: FieldSchemas, taken: 'all' | 'filters' = 'all') {
  const parameters: Record<string, TSchema> = {};
  if (taken === 'all') {
    parameters.limit = Type.Integer({
      minimum: 1,
      maximum: maxLimit,
      description: 'How many records at most; all when it is left out.',
    });
    parameters.page = Type.Integer({ minimum: 1, description: 'From 1; needs limit.' });
    parameters.offset = Type.Integer({
      minimum: 0,
      description: 'How many records to pass over; page beats it.',
    });
    parameters.sort = Type.String({
      description: 'Fields by comma, each with a - before it for descending order.',
    });
    parameters.order = Type.String({ enum: ['asc', 'desc'], default: 'asc' });
  }
  parameters.q = Type.String({
    maxLength: maxSearchLength,
    description: 'Records in which any text contains this, whatever the case.',
  });
  for (const { name, kind } of recordFields(fields)) {
    const order = orderOperators.filter((operator) => isTaken(kind, operator));
    const names = [...order, '_ne', '_in'].map((operator) => name + operator).join(', ');
    const equal = kind === 'texts' ? 'Contains this' : 'Equals this';
    const form = kind === 'timestamp' ? `; takes ${timestampForm}` : '';
    parameters[name] = Type.String({ description: `${equal}${form}. Also ${names} (by comma).` });
  }
  const optional = Object.entries(parameters).map(([name, schema]) => [
    name,
    Type.Optional(schema),
  ]);
  return Type.Object(Object.fromEntries(optional) as Record<string, TSchema>);
}

function optionalWithDefault(fields: FieldSchemas): Record<string, TSchema> {
  const entries = Object.entries(fields).map(([name, schema]) => [
    name,
    hasDefault(schema) ? Type.Optional(schema) : schema,
  ]);
  return Object.fromEntries(entries);
}

function hasDefault(schema: TSchema): boolean {
  return Object.hasOwn(schema, 'default');
}

function without(schema: TSchema, member: string): TSchema {
  const { [member]: _left, ...rest } = schema as Record<string, unknown>;
  return rest as TSchema;
}
