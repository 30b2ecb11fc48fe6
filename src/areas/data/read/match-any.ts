/** Compares values of any type, for the filters and the order of a caller's data. */

import { lazily } from '#base/lazily.js';
import { readTimestamp } from '#base/text/read-timestamp.js';
import { streamSafe } from '#base/text/stream-safe.js';
import type { DataRecord, FieldValue, Operator, RecordField } from '../source/fields.js';

const maxComparedCharacters = 10_000;

/** Sorts letters as in a dictionary, regardless of case. */
const compareTexts = lazily(() => new Intl.Collator('en', { sensitivity: 'accent' }).compare);

const comparableText = (text: string) => streamSafe(text.slice(0, maxComparedCharacters));

type Condition = (record: DataRecord) => boolean;

/** The text of a parameter, interpreted as each possible type. */
interface Wanted {
  readonly text: string;
  readonly lower: string;
  readonly number: number | undefined;
  /** The first and the last moment, which differ for a date. */
  readonly time: { readonly first: string; readonly last: string } | undefined;
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function readWanted(text: string): Wanted {
  const number = decimal.test(text) ? Number(text) : Number.NaN;
  const first = timeOf(text);
  const last = text.length === 10 ? `${text}T23:59:59.999Z` : first;
  return {
    text,
    lower: text.toLowerCase(),
    number: Number.isFinite(number) ? number : undefined,
    time: first === undefined ? undefined : { first, last: last ?? first },
  };
}

/** Most texts are not times, which their length or first character shows. */
function timeOf(text: string): string | undefined {
  const first = text.charCodeAt(0);
  if (text.length < 10 || text.length > 40 || first < 0x30 || first > 0x39) return undefined;
  return readTimestamp(text);
}

/**
 * Returns the condition that a field has that relation to the texts. Equality needs one of several texts, every other
 * relation needs all. A list is equal to each value in it. A missing field is null, which is equal to the text `null`.
 */
export function matchAny(
  field: RecordField,
  operator: Operator,
  texts: readonly string[],
): Condition {
  if (operator === '' || operator === '_in' || operator === '_ne') {
    const isEqual = field.isExact ? equalsExactly(field, texts) : equals(field, texts);
    return operator === '_ne' ? (record) => !isEqual(record) : isEqual;
  }
  const isWithin = withinLimits(operator, texts.map(readWanted));
  return (record) => isWithin(field.valueIn(record));
}

function equalsExactly({ valueIn }: RecordField, texts: readonly string[]): Condition {
  const wanted = new Set(texts);
  return (record) => leavesOf(valueIn(record)).some((leaf) => wanted.has(String(leaf)));
}

function equals({ valueIn }: RecordField, texts: readonly string[]): Condition {
  const wanted = texts.map(readWanted);
  const words = new Set(wanted.map(({ lower }) => lower));
  const numbers = new Set(wanted.map(({ number }) => number));
  const times = wanted.flatMap(({ time }) => time ?? []);
  const matchesNull = texts.includes('null');
  const isEqual = (value: FieldValue): boolean => {
    if (value === null) return matchesNull;
    if (typeof value === 'number') return numbers.has(value);
    if (typeof value !== 'string') return words.has(String(value));
    if (words.has(value.toLowerCase())) return value !== 'null' || matchesNull;
    const time = times.length === 0 ? undefined : timeOf(value);
    return time !== undefined && times.some(({ first, last }) => time >= first && time <= last);
  };
  return (record) => {
    const value = valueIn(record);
    return typeof value === 'object' ? leavesOf(value).some(isEqual) : isEqual(value);
  };
}

/** Returns the values in a list, at any depth. An object has no value. */
function leavesOf(value: FieldValue): readonly FieldValue[] {
  if (value === null || typeof value !== 'object') return [value];
  if (!Array.isArray(value)) return [];
  return value.flatMap(function inside(each: FieldValue): FieldValue | FieldValue[] {
    return typeof each === 'object' && each !== null ? Object.values(each).flatMap(inside) : each;
  });
}

const relations = {
  _gte: { edge: 'first', sign: 1, includesEqual: true },
  _gt: { edge: 'last', sign: 1, includesEqual: false },
  _lte: { edge: 'last', sign: -1, includesEqual: true },
  _lt: { edge: 'first', sign: -1, includesEqual: false },
} as const;

/**
 * Compares numbers with numbers, times with times, and other texts with texts. Other values are neither more nor less.
 */
function withinLimits(operator: keyof typeof relations, wanted: readonly Wanted[]) {
  const { edge, sign, includesEqual } = relations[operator];
  const holds = (order: number) => sign * order > 0 || (includesEqual && order === 0);
  const byCode = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  /** The strictest of several limits applies. */
  const strictest = <Limit>(limits: readonly Limit[], compare: (a: Limit, b: Limit) => number) =>
    limits.reduce<Limit | undefined>(
      (most, each) => (most === undefined || sign * compare(each, most) > 0 ? each : most),
      undefined,
    );
  const textsOf = (some: readonly Wanted[]) => some.map(({ text }) => comparableText(text));
  const numbers = wanted.map(({ number }) => number);
  const number = numbers.includes(undefined)
    ? undefined
    : strictest(numbers as number[], (a, b) => a - b);
  const text = strictest(textsOf(wanted), compareTexts());
  const time = strictest(
    wanted.flatMap((each) => each.time?.[edge] ?? []),
    byCode,
  );
  const besideTime = strictest(
    textsOf(wanted.filter((each) => each.time === undefined)),
    compareTexts(),
  );
  return (value: FieldValue): boolean => {
    if (typeof value === 'number') return number !== undefined && holds(value - number);
    if (typeof value !== 'string') return false;
    const own = time === undefined ? undefined : timeOf(value);
    const limit = own === undefined ? text : besideTime;
    if (own !== undefined && !holds(byCode(own, time ?? ''))) return false;
    return limit === undefined || holds(compareTexts()(comparableText(value), limit));
  };
}

/** A value with the rank of its type: booleans, numbers, times, texts, lists, objects. */
export type Ranked = { readonly rank: number; readonly value: string | number };

/** Returns null for null, which comes first. */
export function rankedValue(value: FieldValue): Ranked | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return { rank: 1, value: Number(value) };
  if (typeof value === 'number') return { rank: 2, value };
  if (typeof value === 'string') {
    const time = timeOf(value);
    return time === undefined
      ? { rank: 4, value: comparableText(value) }
      : { rank: 3, value: time };
  }
  const json = JSON.stringify(value).slice(0, maxComparedCharacters);
  return { rank: Array.isArray(value) ? 5 : 6, value: json };
}

export function compareRanked(a: Ranked, b: Ranked): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.rank === 4) return compareTexts()(String(a.value), String(b.value));
  return a.value < b.value ? -1 : Number(a.value > b.value);
}
