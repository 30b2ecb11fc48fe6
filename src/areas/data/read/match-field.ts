/** Conditions that filter a list: a field, an operator and values, or a search. */

import { lazily } from '#base/lazily.js';
import { normalizeText, streamSafe } from '#base/text/stream-safe.js';
import type { DataRecord, FieldKind, FieldValue, Operator, RecordField } from '../source/fields.js';
import { compareRanked, type Ranked, rankedValue } from './match-any.js';
import type { Wanted } from './read-value.js';

export type Condition = (record: DataRecord) => boolean;

/**
 * Returns the condition that a field has that relation to the values. Values have the field's kind; texts are in lower
 * case. Equality needs one of several values, every other relation needs all. A list of texts is equal to each text in
 * it. Null is equal to itself, and neither more nor less than anything.
 */
export function matchField(
  field: RecordField,
  operator: Operator,
  values: readonly Wanted[],
): Condition {
  if (operator === '' || operator === '_in') return equalsAny(field, values);
  if (operator === '_ne') {
    const isEqual = equalsAny(field, values);
    return (record) => !isEqual(record);
  }
  const { kind, valueIn } = field;
  const { edge, holds, isStricter } = relations[operator];
  // The strictest of several limits applies.
  const limits = values.map((wanted) => comparableValue(kind, wanted[edge]));
  if (limits.includes(null)) return () => false;
  const limit = limits.reduce((strictest, each) =>
    isStricter(compareValues(kind, each, strictest)) ? each : strictest,
  );
  return (record) => {
    const own = valueIn(record);
    return own !== null && holds(compareValues(kind, comparableValue(kind, own), limit));
  };
}

const isAfter = (order: number) => order > 0;
const isBefore = (order: number) => order < 0;

/** For a range of values, `gt` means after its end, and `gte` means from its start. */
const relations = {
  _gte: { edge: 'first', holds: (order: number) => order >= 0, isStricter: isAfter },
  _lte: { edge: 'last', holds: (order: number) => order <= 0, isStricter: isBefore },
  _gt: { edge: 'last', holds: isAfter, isStricter: isAfter },
  _lt: { edge: 'first', holds: isBefore, isStricter: isBefore },
} as const;

const maxComparedCharacters = 10_000;

export function comparableValue(kind: FieldKind, value: FieldValue): FieldValue {
  if (kind === 'any') return rankedValue(value);
  if (kind !== 'text' || typeof value !== 'string') return value;
  return streamSafe(value.slice(0, maxComparedCharacters));
}

function equalsAny({ kind, valueIn }: RecordField, values: readonly Wanted[]): Condition {
  if (kind === 'timestamp') {
    return (record) => {
      const own = valueIn(record);
      return values.some(({ first, last }) =>
        own === null || first === null
          ? own === first
          : own >= first && (last === null || own <= last),
      );
    };
  }
  const wanted = new Set(values.map(({ first }) => first));
  if (kind === 'text') return (record) => wanted.has(lowerCased(valueIn(record)));
  if (kind !== 'texts') return (record) => wanted.has(valueIn(record));
  return (record) => [valueIn(record)].flat().some((text) => wanted.has(lowerCased(text)));
}

function lowerCased(value: FieldValue): FieldValue {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** Sorts letters as in a dictionary, regardless of case. Node takes 5 ms to load the language's rules. */
const compareTexts = lazily(() => new Intl.Collator('en', { sensitivity: 'accent' }).compare);

/** Returns a negative number if `a` comes before `b`, 0 if they are equal. Null comes first. */
export function compareValues(kind: FieldKind, a: FieldValue, b: FieldValue): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  if (kind === 'any') return compareRanked(a as Ranked, b as Ranked);
  if (kind === 'text') return compareTexts()(a as string, b as string);
  return a < b ? -1 : a > b ? 1 : 0;
}

export function matchSearch(text: string, fields: readonly RecordField[]): Condition {
  const wanted = searchable(text);
  return (record) => searchText(record, fields).includes(wanted);
}

function searchable(text: string): string {
  return normalizeText(text).toLowerCase();
}

/** Stored records never change, so their texts are joined only once. */
const texts = new WeakMap<DataRecord, string>();

function searchText(record: DataRecord, fields: readonly RecordField[]): string {
  let text = texts.get(record);
  if (text === undefined) {
    const searched = fields.filter(({ kind }) => kind === 'text' || kind === 'texts');
    text = searchable(searched.flatMap(({ valueIn }) => valueIn(record) ?? []).join('\n'));
    texts.set(record, text);
  }
  return text;
}
