/** Dates in headers: RFC 9110 section 5.6.7. */

import { gotValue } from '#base/text/got-value.js';
import type { FieldFault } from '../http-error.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
const time = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';
const forms = [
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT`,
  `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT`,
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * Parses an HTTP date in any of its three forms to Unix milliseconds; returns `undefined` for other
 * text.
 */
export function parseHttpDate(text: string, nowMs = Date.now()): number | undefined {
  const trimmed = text.trim();
  for (const form of forms) {
    const parts = form.exec(trimmed)?.groups;
    if (parts !== undefined) return dateOf(parts, nowMs);
  }
  return undefined;
}

function dateOf(parts: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const { year: digits = '', month: name = '' } = parts;
  const [day = 0, hour = 0, minute = 0, second = 0] = ['day', 'hour', 'minute', 'second'].map(
    (part) => Number(parts[part]),
  );
  const year = digits.length === 2 ? fullYear(digits, nowMs) : Number(digits);
  const monthIndex = months.indexOf(name);
  const isDay = new Date(Date.UTC(year, monthIndex, day)).getUTCDate() === day;
  const isTime = hour < 24 && minute < 60 && second <= 60;
  return isDay && isTime ? Date.UTC(year, monthIndex, day, hour, minute, second) : undefined;
}

/** Returns the year in the past if two digits seem more than 50 years ahead. */
function fullYear(digits: string, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}

const isoDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Parses a caller's date: ISO 8601 (a day is in UTC) or an HTTP date. */
export function parseGivenDate(text: string): number | undefined {
  return parseIsoDate(text) ?? parseHttpDate(text);
}

/** Parses a day, which is in UTC, or a time with its zone. */
export function parseIsoDate(text: string): number | undefined {
  if (!isoDate.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Describes the fault of a text that is not a date; `other` names an alternative. */
export function givenDateFault(field: string, given: string, other?: string): FieldFault {
  const start =
    other === undefined ? 'a date in ISO 8601, or' : `${other}, or a date in ISO 8601 or`;
  return {
    field,
    message: `${field} must be ${start} as HTTP writes it${gotValue(field, given)}.`,
  };
}
