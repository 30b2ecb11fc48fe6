/** The fields of a collection's records, and of what kind each is, read from the record's schema. */

import type { TSchema } from 'typebox';
import type { FieldSchemas } from '../../../data/declare-record.js';
import { holdsPicture, readerOf } from '../../../data/field-types.js';
import { type FieldKind, fieldAt, type RecordField } from '../source/fields.js';

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: FieldSchemas;
}

/** The fields of a record that hold no others: `id`, and then those of the schemas in their order. */
export function recordFields(schemas: FieldSchemas): readonly RecordField[] {
  return [fieldAt(['id'], 'whole number', false), ...fieldsInside(schemas, [], false)];
}

function fieldsInside(
  schemas: FieldSchemas,
  outer: readonly string[],
  isOuterNullable: boolean,
): RecordField[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const { properties } = schema as FieldSchema;
    const path = [...outer, name];
    const isNullable = isOuterNullable || typesOf(schema).includes('null');
    if (properties !== undefined) return fieldsInside(properties, path, isNullable);
    return { ...fieldAt(path, kindOf(schema), isNullable), readText: readerOf(schema) };
  });
}

/** The names of the fields that hold URLs of images; none of them is inside another. */
export function pictureFields(schemas: FieldSchemas): readonly string[] {
  return Object.keys(schemas).filter((name) => holdsPicture(schemas[name] as TSchema));
}

function typesOf(schema: TSchema): readonly (string | undefined)[] {
  return [(schema as FieldSchema).type].flat();
}

function kindOf(schema: TSchema): FieldKind {
  const [type] = typesOf(schema).filter((each) => each !== 'null');
  if (type === 'integer') return 'whole number';
  if (type === 'number' || type === 'boolean') return type;
  if (type === 'array') return 'texts';
  const { format } = schema as FieldSchema;
  return format === 'date-time' ? 'timestamp' : format === 'date' ? 'date' : 'text';
}
