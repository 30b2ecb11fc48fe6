/** A filter's value, read from the text of a query parameter by the kind of the field it is for. */

import { isOwnTime } from '../../../base/text/is-own-time.js';
import type { FieldKind, FieldValue, RecordField } from '../source/fields.js';
import type { Wanted } from './match-field.js';

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** By its digits, since a fraction that is too fine for a double reads as a whole number. */
const whole = /^[+-]?\d+(?:\.0*)?(?:e\+?\d+)?$/i;

/** What {@link readTimestamp} takes, to be read after "takes". */
export const timestampForm =
  'a date or a time such as 2027-03-12 or 2027-03-12T18:00:00Z (a plus sign is written %2B)';

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

/** Returns texts in lower case, and for a date where times are compared all of its day, in UTC. */
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

const written =
  /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/**
 * Returns an instant of the years 0000 to 9999 as this service writes it, so that instants sort as texts do. A date is its
 * first moment, a time without an offset is in UTC.
 */
export function readTimestamp(text: string): string | undefined {
  if (isOwnTime(text)) return text;
  const upper = text.toUpperCase();
  const match = written.exec(upper);
  if (match === null) return undefined;
  const [, date = '', time, offset] = match;
  const day = new Date(`${date}T00:00:00Z`);
  // Date rolls 30 February over into March; only a real day comes back as it went in.
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date)) return undefined;
  if (time === undefined) return day.toISOString();
  const instant = new Date(offset === undefined ? `${upper}Z` : upper).toISOString();
  return instant.length === 24 ? instant : undefined;
}

export function readDay(text: string): string | undefined {
  return text.length === 10 && readTimestamp(text) !== undefined ? text : undefined;
}
