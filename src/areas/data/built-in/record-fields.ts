/** The fields of a collection's records, and their filters, derived from the record's schema. */

import { type TSchema, Type } from 'typebox';
import type { FieldSchemas, RecordDeclaration } from '#data/declare-record.js';
import { readerOf } from '#data/field-types.js';
import type { FieldSchema } from '#data/record-schemas.js';
import type { Fields } from '#http/exchange.js';
import { detail } from '#kit/endpoint.js';
import { type FieldKind, fieldAt, isComparable, type RecordField } from '../source/fields.js';

/** Returns the scalar fields of a record: `id`, then the fields of the schemas in their order. */
export function recordFields(schemas: FieldSchemas): readonly RecordField[] {
  return [fieldAt(['id'], 'integer', false), ...fieldsInside(schemas, [], false)];
}

function fieldsInside(
  schemas: FieldSchemas,
  outer: readonly string[],
  isOuterNullable: boolean,
): RecordField[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const { type, format, properties } = schema as FieldSchema;
    const path = [...outer, name];
    const types = [type].flat();
    const isNullable = isOuterNullable || types.includes('null');
    if (properties !== undefined) return fieldsInside(properties, path, isNullable);
    const kind = kindOf(
      types.find((each) => each !== 'null'),
      format,
    );
    return { ...fieldAt(path, kind, isNullable), readText: readerOf(schema) };
  });
}

function kindOf(type: string | undefined, format: string | undefined): FieldKind {
  if (type === 'integer') return 'integer';
  if (type === 'number' || type === 'boolean') return type;
  if (type === 'array') return 'texts';
  return format === 'date-time' ? 'timestamp' : format === 'date' ? 'date' : 'text';
}

const numberTypes: Readonly<Partial<Record<FieldKind, 'integer' | 'number'>>> = {
  integer: 'integer',
  number: 'number',
};

/** A repeatable parameter. Its schema has no type, because some clients would parse text as a list. */
function oneOrMore(title: string, ...types: readonly string[]): TSchema {
  const items = types.map((type) => ({ type }));
  const item = items.length === 1 ? items[0] : { anyOf: items };
  return Type.Unsafe<unknown>({ title, anyOf: [...items, { type: 'array', items: item }] });
}

const filterValues = {
  texts: oneOrMore('Texts', 'string'),
  integers: oneOrMore('Integers', 'integer'),
  numbers: oneOrMore('Numbers', 'number'),
  booleans: oneOrMore('Booleans', 'boolean'),
  /** Such as `?id=1,2,3`, and a field that may be empty. */
  integersOrTexts: oneOrMore('IntegersOrTexts', 'integer', 'string'),
  numbersOrTexts: oneOrMore('NumbersOrTexts', 'number', 'string'),
  booleansOrTexts: oneOrMore('BooleansOrTexts', 'boolean', 'string'),
};

function valuesOf({ name, kind, isNullable }: RecordField): TSchema {
  const isText = isNullable || name === 'id';
  if (kind === 'integer') {
    return isText ? filterValues.integersOrTexts : filterValues.integers;
  }
  if (kind === 'number') return isText ? filterValues.numbersOrTexts : filterValues.numbers;
  if (kind === 'boolean') return isText ? filterValues.booleansOrTexts : filterValues.booleans;
  return filterValues.texts;
}

const comparing = ['_gt', '_gte', '_lt', '_lte'] as const;

/** Returns the query parameters of each field: its name, and its name with each operator that it supports. */
export function filterParameters({ fields }: RecordDeclaration): Fields {
  const entries = recordFields(fields).flatMap((field) => {
    const { name, kind } = field;
    const values = valuesOf(field);
    const limit = Type.Unsafe<unknown>({ type: numberTypes[kind] ?? 'string' });
    const compared = kind === 'text' ? detail(limit) : limit;
    const operators = comparing.filter((operator) => isComparable(kind, operator));
    return [
      [name, values],
      [`${name}_ne`, values],
      [`${name}_in`, filterValues.texts],
      ...operators.map((operator) => [`${name}${operator}`, compared] as const),
    ] as const;
  });
  return Object.fromEntries(entries);
}
