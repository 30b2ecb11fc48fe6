/** The conditions that a list can be filtered by: a field, an operator and values. */

import type { FieldKind, FieldValue, RecordField, ResourceRecord } from './record-fields.js';

/** As they stand after the field's name; the empty one is the plain name. */
export const operators = ['', '_gte', '_lte', '_gt', '_lt', '_ne', '_in'] as const;
export type Operator = (typeof operators)[number];

export type Condition = (record: ResourceRecord) => boolean;

/** Whether a field of that kind can be compared in that way: only what has an order is more or less. */
export function isTaken(kind: FieldKind, operator: Operator): boolean {
  const hasOrder = kind !== 'boolean' && kind !== 'texts';
  return hasOrder || operator === '' || operator === '_ne' || operator === '_in';
}

/**
 * The condition that a field stands in that relation to the values, which are of its kind and texts
 * among them in lower case. Of several values equality asks for any, every other relation for all. A
 * list of texts is equal to each text that it contains.
 */
export function matchField(
  field: RecordField,
  operator: Operator,
  values: readonly FieldValue[],
): Condition {
  if (operator === '' || operator === '_in') return equalsAny(field, values);
  if (operator === '_ne') {
    const isEqual = equalsAny(field, values);
    return (record) => !isEqual(record);
  }
  const { name, kind } = field;
  const holds = relations[operator];
  return (record) => {
    const own = record[name] as FieldValue;
    return values.every((value) => holds(compareValues(kind, own, value)));
  };
}

const relations = {
  _gte: (order: number) => order >= 0,
  _lte: (order: number) => order <= 0,
  _gt: (order: number) => order > 0,
  _lt: (order: number) => order < 0,
} as const;

function equalsAny({ name, kind }: RecordField, values: readonly FieldValue[]): Condition {
  const wanted = new Set(values);
  if (kind === 'text') return (record) => wanted.has(String(record[name]).toLowerCase());
  if (kind === 'texts') {
    return (record) =>
      (record[name] as readonly string[]).some((text) => wanted.has(text.toLowerCase()));
  }
  return (record) => wanted.has(record[name] as FieldValue);
}

/** Letters sort as in a dictionary, whatever their case. */
const { compare: compareTexts } = new Intl.Collator('en', { sensitivity: 'accent' });

/** Negative when `a` comes before `b`, 0 when neither does. */
export function compareValues(kind: FieldKind, a: FieldValue, b: FieldValue): number {
  if (kind === 'text') return compareTexts(a as string, b as string);
  return a < b ? -1 : a > b ? 1 : 0;
}
