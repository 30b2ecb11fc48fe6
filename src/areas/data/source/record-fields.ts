/** The fields of a collection's records, and of what kind each is, read from the record's schema. */

import type { TSchema } from 'typebox';
import type { FieldSchemas } from '../../../data/declare-record.js';
import { holdsPicture, readerOf } from '../../../data/field-types.js';

/** Whole numbers in the collections of this service; those of a caller may have texts. */
export type RecordId = number | string;

export type FieldValue =
  | string
  | number
  | boolean
  | null
  | readonly FieldValue[]
  | { readonly [name: string]: FieldValue };

/** A record as the rules for every collection see it. */
export type ResourceRecord = { readonly id: RecordId } & Readonly<Record<string, FieldValue>>;

export type FieldKind =
  | 'text'
  | 'whole number'
  | 'number'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'texts';

export interface RecordField {
  /** As parameters name it: `price`, or `address.city` of one inside another. */
  readonly name: string;
  readonly kind: FieldKind;
  /** Whether it may be null, or be inside what may be. */
  readonly isNullable: boolean;
  readonly valueIn: (record: ResourceRecord) => FieldValue;
  /** What a filter makes of its text before it is compared, where it can be written in several ways. */
  readonly readText?: ((text: string) => string) | undefined;
}

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: FieldSchemas;
}

const idField: RecordField = {
  name: 'id',
  kind: 'whole number',
  isNullable: false,
  valueIn: ({ id }) => id,
};

/** The fields of a record that hold no others: `id`, and then those of the schemas in their order. */
export function recordFields(schemas: FieldSchemas): readonly RecordField[] {
  return [idField, ...fieldsInside(schemas, [], false)];
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

/** The field that these names lead to. */
export function fieldAt(
  path: readonly string[],
  kind: FieldKind,
  isNullable: boolean,
): RecordField {
  const [first = '', ...inner] = path;
  const valueIn: RecordField['valueIn'] =
    inner.length === 0 ? (record) => record[first] ?? null : (record) => valueAt(record, path);
  return { name: path.join('.'), kind, isNullable, valueIn };
}

function valueAt(record: ResourceRecord, path: readonly string[]): FieldValue {
  let value: FieldValue | undefined = record as FieldValue;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Readonly<Record<string, FieldValue>>)[name];
  }
  return value ?? null;
}

/** The names of the fields that hold addresses of pictures; none of them is inside another. */
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
