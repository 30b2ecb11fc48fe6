/** The JSON Schemas of records and of what is written, made from the fields of their declarations. */

import { type TObject, type TSchema, Type } from 'typebox';
import type { FieldSchemas, RecordDeclaration } from './declare-record.js';
import { hasDefault, nullable } from './field-types.js';

/** A whole record, as it is stored and returned: every field is there. */
export function wholeRecord({ type, fields }: RecordDeclaration): TObject {
  const id = Type.Integer({ description: 'Given by the service, and never given twice.' });
  return Type.Object({ id, ...withoutDefaults(fields) }, { title: type });
}

const ownId = Type.Optional(
  Type.Integer({ description: 'Must be the one of the path, when it is sent at all.' }),
);

/** A record as it is created; what has a default may be left out. */
export function newRecordSchema({ type, fields }: RecordDeclaration) {
  return exactObject(newFields(fields), `New${type}`);
}

/** A record as it is created below its parent, whose id in `field` may be left out. */
export function childSchema({ type, fields }: RecordDeclaration, field: string, name: string) {
  const properties = newFields(fields);
  const parent = Type.Optional(properties[field] ?? Type.Never());
  const title = `New${type}In${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return exactObject({ ...properties, [field]: parent }, title);
}

/** A record as it replaces another. */
export function replacementSchema({ type, fields }: RecordDeclaration) {
  return exactObject({ id: ownId, ...newFields(fields) }, `${type}Replacement`);
}

/** A merge patch: any of the fields, and `null` for those that fall back to a default. */
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
  /** Of an object. */
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

/** Changes the fields inside one that is an object. */
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
