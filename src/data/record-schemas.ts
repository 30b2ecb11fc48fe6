/** JSON Schemas of records and of request bodies, derived from the declared fields. */

import { type TObject, type TSchema, Type } from 'typebox';
import type { FieldSchemas, RecordDeclaration } from './declare-record.js';
import { hasDefault, nullable } from './field-types.js';

/** Returns the schema of a complete record in its stored form. */
export function wholeRecord({ type, fields }: RecordDeclaration): TObject {
  const id = Type.Integer({ description: 'Assigned by the service, and never reused.' });
  return Type.Object({ id, ...withoutDefaults(fields) }, { title: type });
}

const ownId = Type.Optional(Type.Integer({ description: 'Optional; must be the id in the path.' }));

/** Returns the schema of a new record; fields with a default are optional. */
export function newRecordSchema({ type, fields }: RecordDeclaration) {
  return exactObject(newFields(fields), `New${type}`);
}

/**
 * Returns the schema of a new record under its parent; `field`, the id of the parent, is optional.
 */
export function childSchema({ type, fields }: RecordDeclaration, field: string, name: string) {
  const properties = newFields(fields);
  const parent = Type.Optional(properties[field] ?? Type.Never());
  const title = `New${type}In${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return exactObject({ ...properties, [field]: parent }, title);
}

/** Returns the schema of a record that replaces another. */
export function replacementSchema({ type, fields }: RecordDeclaration) {
  return exactObject({ id: ownId, ...newFields(fields) }, `${type}Replacement`);
}

/** Returns the schema of a merge patch: any fields; `null` resets a field to its default. */
export function patchSchema({ type, fields }: RecordDeclaration) {
  return exactObject({ id: ownId, ...patchedFields(fields) }, `${type}Patch`);
}

type Fields = Record<string, TSchema>;

function exactObject(properties: Fields, title: string) {
  return Type.Object(properties, { title, additionalProperties: false });
}

function mapFields(fields: FieldSchemas, map: (schema: TSchema) => TSchema): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, map(schema)]));
}

export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly title?: string;
  readonly default?: unknown;
  /** Only in schemas of objects. */
  readonly properties?: FieldSchemas;
}

function withoutDefaults(fields: FieldSchemas): Fields {
  return mapFields(fields, (schema) => {
    const { default: _default, ...plain } = schema as TSchema & FieldSchema;
    return plain.properties ? { ...plain, properties: withoutDefaults(plain.properties) } : plain;
  });
}

function newFields(fields: FieldSchemas): Fields {
  return mapFields(fields, (schema) => {
    const whole = withInner(schema, newFields, (title) => `New${title}`);
    return hasDefault(schema) ? Type.Optional(whole) : whole;
  });
}

function patchedFields(fields: FieldSchemas): Fields {
  return mapFields(fields, (schema) => {
    const { default: _default, ...plain } = schema as TSchema & FieldSchema;
    const whole = withInner(plain, patchedFields, (title) => `${title}Patch`);
    const isNullable = [(whole as FieldSchema).type].flat().includes('null');
    return Type.Optional(hasDefault(schema) && !isNullable ? nullable(whole) : whole);
  });
}

/** Changes the inner fields of an object field. */
function withInner(
  schema: TSchema,
  change: (fields: FieldSchemas) => Fields,
  titleOf: (title: string | undefined) => string,
): TSchema {
  const { properties, title, type, default: initial } = schema as FieldSchema;
  if (properties === undefined) return schema;
  return {
    ...exactObject(change(properties), titleOf(title)),
    type,
    ...(initial !== undefined && { default: initial }),
  };
}
