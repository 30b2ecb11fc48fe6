/** Parses a filter's value from the text of a query parameter, by the kind of the field. */

import { readTimestamp, timestampForm } from '#base/text/read-timestamp.js';
import type { FieldKind, FieldValue, RecordField } from '../source/fields.js';

/** The values of a parameter: a range from first to last, such as the times of a day. */
export interface Wanted {
  readonly first: FieldValue;
  readonly last: FieldValue;
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Checks the digits, because a double could round a small fraction to an integer. */
const whole = /^[+-]?\d+(?:\.0*)?(?:e\+?\d+)?$/i;

const forms: Readonly<Record<FieldKind, string>> = {
  text: 'a string',
  texts: 'a string',
  any: 'a value',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2027-03-12',
  timestamp: timestampForm,
};

type Field = Pick<RecordField, 'kind' | 'isNullable' | 'readText'>;

/** Returns what the field's parameter accepts; follows "must be" in a message. */
export function valueForm({ kind, isNullable }: Field): string {
  return isNullable ? `${forms[kind]}, or null` : forms[kind];
}

/** Returns texts in lower case. A date that is compared with times becomes its whole day in UTC. */
export function readValue({ kind, isNullable, readText }: Field, text: string): Wanted | undefined {
  if (isNullable && text === 'null') return { first: null, last: null };
  const first = readSingle(kind, readText?.(text) ?? text);
  if (first === undefined) return undefined;
  const isWholeDay = kind === 'timestamp' && readDay(text) !== undefined;
  return { first, last: isWholeDay ? `${text}T23:59:59.999Z` : first };
}

function readSingle(kind: FieldKind, text: string): FieldValue | undefined {
  const word = text.toLowerCase();
  switch (kind) {
    case 'integer':
      return whole.test(text) ? readNumber(text) : undefined;
    case 'number':
      return readNumber(text);
    case 'boolean':
      return word === 'true' ? true : word === 'false' ? false : undefined;
    case 'date':
      return readDay(text);
    case 'timestamp':
      return readTimestamp(text);
    default:
      return word;
  }
}

function readNumber(text: string): number | undefined {
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function readDay(text: string): string | undefined {
  return text.length === 10 && readTimestamp(text) !== undefined ? text : undefined;
}
