/** The fields of a collection's records, read from the record's schema, and the filters that they are. */

import { type TSchema, Type } from 'typebox';
import type { FieldSchemas, RecordDeclaration } from '../../../data/declare-record.js';
import { holdsPicture, readerOf } from '../../../data/field-types.js';
import type { FieldSchema } from '../../../data/record-schemas.js';
import { type FieldKind, fieldAt, isComparable, type RecordField } from '../source/fields.js';

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
  if (type === 'integer') return 'whole number';
  if (type === 'number' || type === 'boolean') return type;
  if (type === 'array') return 'texts';
  return format === 'date-time' ? 'timestamp' : format === 'date' ? 'date' : 'text';
}

export function pictureFields(schemas: FieldSchemas): readonly string[] {
  return Object.keys(schemas).filter((name) => holdsPicture(schemas[name] as TSchema));
}

const valueTypes: Readonly<Partial<Record<FieldKind, string>>> = {
  'whole number': 'integer',
  number: 'number',
  boolean: 'boolean',
};

export function filterSchema({ type, fields }: RecordDeclaration): TSchema {
  const known = recordFields(fields);
  const ordered = known.filter(({ kind }) => isComparable(kind, '_gt'));
  return Type.Unsafe<object>({
    type: 'object',
    title: `${type}Filters`,
    description:
      'Any field as a parameter of its own, which may be repeated: it equals the value, or one of several; a list contains it. With _ne after its name it does not, with _in it is one of several by comma; with _gt, _gte, _lt and _lte, where it has an order, it is more, at least, less, at most. A date stands for all of its day.',
    properties: Object.fromEntries(known.map((field) => [field.name, valueSchema(field)])),
    patternProperties: {
      [`^(?:${namesOf(known)})_(?:ne|in)$`]: { type: 'string' },
      [`^(?:${namesOf(ordered)})_[gl]te?$`]: { type: 'string' },
    },
    additionalProperties: false,
  });
}

function valueSchema({ kind, isNullable }: RecordField) {
  const type = valueTypes[kind] ?? 'string';
  return { type: isNullable && type !== 'string' ? [type, 'string'] : type };
}

function namesOf(known: readonly RecordField[]): string {
  return known.map(({ name }) => name.replaceAll('.', '\\.')).join('|');
}
