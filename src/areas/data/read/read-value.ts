/** A filter's value, read from the text of a query parameter by the kind of the field it is for. */

import type { FieldKind, FieldValue, RecordField } from '../source/fields.js';
import type { Wanted } from './match-field.js';
import { readDay, readTimestamp, timestampForm } from './read-timestamp.js';

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** By its digits, since a fraction that is too fine for a double reads as a whole number. */
const whole = /^[+-]?\d+(?:\.0*)?(?:e\+?\d+)?$/i;

const forms: Readonly<Record<FieldKind, string>> = {
  text: 'a string',
  texts: 'a string',
  'whole number': 'an integer',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2027-03-12',
  timestamp: timestampForm,
};

/** What a parameter for the field accepts, to be read after "must be". */
export function valueForm({ kind, isNullable }: Pick<RecordField, 'kind' | 'isNullable'>): string {
  return isNullable ? `${forms[kind]}, or null` : forms[kind];
}

/**
 * `undefined` when the text is no value of that field. Texts come out in lower case; a date where times are
 * compared is all of its day, in UTC.
 */
export function readValue(
  { kind, isNullable, readText }: Pick<RecordField, 'kind' | 'isNullable' | 'readText'>,
  text: string,
): Wanted | undefined {
  if (isNullable && text === 'null') return { first: null, last: null };
  if (kind === 'timestamp') {
    const first = readTimestamp(text);
    return first === undefined
      ? undefined
      : { first, last: readDay(text) === undefined ? first : `${text}T23:59:59.999Z` };
  }
  const value = readSingle(kind, readText?.(text) ?? text);
  return value === undefined ? undefined : { first: value, last: value };
}

function readSingle(kind: FieldKind, text: string): FieldValue | undefined {
  switch (kind) {
    case 'whole number':
      return whole.test(text) ? readNumber(text) : undefined;
    case 'number':
      return readNumber(text);
    case 'boolean': {
      const word = text.toLowerCase();
      return word === 'true' ? true : word === 'false' ? false : undefined;
    }
    case 'date':
      return readDay(text);
    default:
      return text.toLowerCase();
  }
}

function readNumber(text: string): number | undefined {
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
