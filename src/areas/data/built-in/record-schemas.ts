/** The JSON Schemas of what is written, made from the fields of records. */

import { type TSchema, Type } from 'typebox';
import type { FieldSchemas, RecordDeclaration } from '../../../data/declare-record.js';
import { hasDefault, nullable } from '../../../data/field-types.js';

const ownId = Type.Optional(
  Type.Integer({ description: 'Must be the one of the path, when it is sent at all.' }),
);

/** A record as it is created; what has a default may be left out. */
export function newRecordSchema({ type, fields }: RecordDeclaration) {
  return exactObject(optionalWithDefault(fields), `New${type}`);
}

/** A record as it is created below its parent, whose id in `field` may be left out. */
export function childSchema({ type, fields }: RecordDeclaration, field: string, name: string) {
  const properties = optionalWithDefault(fields);
  const parent = properties[field];
  if (parent === undefined) throw new Error(`${type} has no field ${field}.`);
  const title = `New${type}In${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return exactObject({ ...properties, [field]: Type.Optional(parent) }, title);
}

/** A record as it replaces another. */
export function replacementSchema({ type, fields }: RecordDeclaration) {
  return exactObject({ id: ownId, ...optionalWithDefault(fields) }, `${type}Replacement`);
}

/** A merge patch: any of the fields, and `null` for those that fall back to a default. */
export function patchSchema({ type, fields }: RecordDeclaration) {
  return exactObject({ id: ownId, ...patched(fields) }, `${type}Patch`);
}

function exactObject(properties: Record<string, TSchema>, title: string) {
  return Type.Object(properties, { title, additionalProperties: false });
}

interface ObjectOptions {
  readonly properties?: FieldSchemas;
  readonly title?: string;
  readonly default?: unknown;
}

function optionalWithDefault(fields: FieldSchemas): Record<string, TSchema> {
  return mapFields(fields, (schema) => {
    const { properties, title, default: initial } = schema as ObjectOptions;
    const { type } = schema as { type?: unknown };
    const whole =
      properties === undefined
        ? schema
        : {
            ...exactObject(optionalWithDefault(properties), `New${title}`),
            type,
            ...(initial !== undefined && { default: initial }),
          };
    return hasDefault(schema) ? Type.Optional(whole) : whole;
  });
}

function patched(fields: FieldSchemas): Record<string, TSchema> {
  return mapFields(fields, (schema) => {
    const { default: _default, ...plain } = schema as TSchema & ObjectOptions;
    const { properties, title } = plain;
    const { type } = plain as { type?: unknown };
    const whole: TSchema =
      properties === undefined
        ? plain
        : { ...exactObject(patched(properties), `${title}Patch`), type };
    return Type.Optional(hasDefault(schema) && !isNullable(whole) ? nullable(whole) : whole);
  });
}

function isNullable(schema: TSchema): boolean {
  return [(schema as { type?: unknown }).type].flat().includes('null');
}

function mapFields(
  fields: FieldSchemas,
  map: (schema: TSchema) => TSchema,
): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, map(schema)]));
}
