/** Dates in headers: RFC 9110 section 5.6.7. */

import { gotValue } from '../base/text/got-value.js';
import type { FieldFault } from './http-error.js';

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec';
const monthNames = months.split(' ');
const oneOfMonths = months.replaceAll(' ', '|');
const time = '(\\d\\d):(\\d\\d):(\\d\\d)';
const imfFixdate = new RegExp(
  `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d\\d) (${oneOfMonths}) (\\d{4}) ${time} GMT$`,
);
const rfc850 = new RegExp(
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d\\d)-(${oneOfMonths})-(\\d\\d) ${time} GMT$`,
);
const asctime = new RegExp(
  `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (${oneOfMonths}) ([ \\d]\\d) ${time} (\\d{4})$`,
);

/**
 * An HTTP date in any of its three forms (RFC 9110 section 5.6.7), in milliseconds since the Unix epoch;
 * `undefined` for anything else, of which a condition is to be ignored.
 */
export function parseHttpDate(text: string, nowMs = Date.now()): number | undefined {
  const trimmed = text.trim();
  const fixed = imfFixdate.exec(trimmed);
  if (fixed) {
    const [, day, month, year, ...clock] = fixed;
    return dateOf(Number(year), month, day, clock);
  }
  const old = rfc850.exec(trimmed);
  if (old) {
    const [, day, month, shortYear, ...clock] = old;
    return dateOf(fullYear(Number(shortYear), nowMs), month, day, clock);
  }
  const unix = asctime.exec(trimmed);
  if (unix) {
    const [, month, day, hours = '', minutes = '', seconds = '', year] = unix;
    return dateOf(Number(year), month, day, [hours, minutes, seconds]);
  }
  return undefined;
}

/** Two digits that seem more than 50 years ahead stand for the past. */
function fullYear(shortYear: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + shortYear;
  return year > thisYear + 50 ? year - 100 : year;
}

function dateOf(
  year: number,
  month = '',
  day = '',
  [hours, minutes, seconds]: readonly string[] = [],
): number | undefined {
  const place = monthNames.indexOf(month);
  const dayOfMonth = Number(day);
  const ms = Date.UTC(year, place, dayOfMonth, Number(hours), Number(minutes), Number(seconds));
  const isThere = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) <= 60;
  return isThere && new Date(Date.UTC(year, place, dayOfMonth)).getUTCDate() === dayOfMonth
    ? ms
    : undefined;
}

const isoDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** A date as callers give it: ISO 8601 (in UTC where it says no more than the day) or an HTTP date. */
export function parseGivenDate(text: string): number | undefined {
  if (!isoDate.test(text)) return parseHttpDate(text);
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The fault of a text that is no such date; it may be something else instead, as `other` says. */
export function givenDateFault(field: string, given: string, other?: string): FieldFault {
  const start =
    other === undefined ? 'a date in ISO 8601, or' : `${other}, or a date in ISO 8601 or`;
  return {
    field,
    message: `${field} must be ${start} as HTTP writes it${gotValue(field, given)}.`,
  };
}
