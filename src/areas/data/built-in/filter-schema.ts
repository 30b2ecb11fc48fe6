/** The filters of a collection's lists, for their description. */

import { type TSchema, Type } from 'typebox';
import type { RecordDeclaration } from '../../../data/declare-record.js';
import { type FieldKind, isComparable, type RecordField } from '../source/fields.js';
import { recordFields } from './record-fields.js';

const valueTypes: Readonly<Record<FieldKind, string>> = {
  text: 'string',
  texts: 'string',
  'whole number': 'integer',
  number: 'number',
  boolean: 'boolean',
  date: 'string',
  timestamp: 'string',
};

/** An object with a member for each field, and for each that is compared. */
export function filterSchema({ type, fields: schemas }: RecordDeclaration): TSchema {
  const known = recordFields(schemas);
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
  const type = valueTypes[kind];
  return { type: isNullable && type !== 'string' ? [type, 'string'] : type };
}

function namesOf(known: readonly RecordField[]): string {
  return known.map(({ name }) => name.replaceAll('.', '\\.')).join('|');
}
