/** The JSON Schemas of a resource's routes, made from the fields of its records. */

import { type TSchema, Type } from 'typebox';
import type { FieldSchemas, RecordDeclaration } from '../../data/declare-record.js';
import { nullable } from '../../data/field-types.js';
import {
  type FilterParameter,
  listParameters,
  maxLimit,
  maxSearchLength,
} from './list-parameters.js';
import type { Operator } from './match-field.js';
import { timestampForm } from './read-timestamp.js';
import { type FieldKind, recordFields } from './record-fields.js';

const ownId = Type.Optional(
  Type.Integer({ description: 'Must be the one of the path, when it is sent at all.' }),
);

/** A record as it is created; what has a default may be left out. */
export function newRecordSchema({ type, fields }: RecordDeclaration) {
  return Type.Object(optionalWithDefault(fields), {
    title: `New${type}`,
    additionalProperties: false,
  });
}

/** A record as it replaces another. */
export function replacementSchema({ type, fields }: RecordDeclaration) {
  const properties = { id: ownId, ...optionalWithDefault(fields) };
  return Type.Object(properties, {
    title: `${type}Replacement`,
    additionalProperties: false,
  });
}

/** A merge patch: any of the fields, and `null` for those that fall back to a default. */
export function patchSchema({ type, fields }: RecordDeclaration) {
  const properties: Record<string, TSchema> = { id: ownId };
  for (const [name, schema] of Object.entries(fields)) {
    const { default: _default, ...patched } = schema as TSchema & { default?: unknown };
    properties[name] = Type.Optional(hasDefault(schema) ? nullable(patched) : patched);
  }
  return Type.Object(properties, {
    title: `${type}Patch`,
    additionalProperties: false,
  });
}

const meanings: Readonly<Record<Operator, string>> = {
  '': 'Equals this; of several, any',
  _gte: 'At least this; of several, each',
  _lte: 'At most this; of several, each',
  _gt: 'More than this; of several, each',
  _lt: 'Less than this; of several, each',
  _ne: 'Not this; of several, none',
  _in: 'Any of these, by comma; of several lists, any of all',
};

/** The schema of one of a filter's values. */
const valueSchemas: Readonly<Record<FieldKind, TSchema>> = {
  text: Type.String(),
  texts: Type.String(),
  'whole number': Type.Integer(),
  number: Type.Number(),
  boolean: Type.Boolean(),
  timestamp: Type.String(),
};

/** A parameter that may be repeated. */
function filterSchema({ field, operator }: FilterParameter): TSchema {
  const isOneOfTexts = field.kind === 'texts' && operator === '';
  const meaning = isOneOfTexts ? 'Contains this; of several, any' : meanings[operator];
  const isTimestamp = field.kind === 'timestamp' && operator !== '_in';
  const description = isTimestamp ? `${meaning}. Takes ${timestampForm}.` : `${meaning}.`;
  const value = operator === '_in' ? Type.String() : valueSchemas[field.kind];
  return Type.Array(value, { description });
}

/** The parameters of a list, for its description. */
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
    parameters.order = Type.String({
      enum: ['asc', 'desc'],
      default: 'asc',
      description: 'Of sort, or of the ids without one.',
    });
  }
  parameters.q = Type.Array(Type.String({ maxLength: maxSearchLength }), {
    description: 'Records in which any text contains this, whatever the case; of several, each.',
  });
  for (const [name, filter] of listParameters(recordFields(fields)).filters) {
    parameters[name] = filterSchema(filter);
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
