/** Times as callers write them: RFC 3339, and the looser forms that suit a query parameter. */

import { isOwnTime } from '../../../base/text/is-own-time.js';

const written =
  /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/** What {@link readTimestamp} takes, to be read after "takes". */
export const timestampForm =
  'a date or a time such as 2027-03-12 or 2027-03-12T18:00:00Z (a plus sign is written %2B)';

/**
 * The instant in the one form this service writes, `2027-03-12T18:00:00.000Z`, in which instants sort
 * as texts do. A date alone is its first moment, a time without an offset is in UTC. `undefined` for
 * anything else, a day that does not exist, and an instant outside the years 0000 to 9999.
 */
export function readTimestamp(text: string): string | undefined {
  // As most times of a record that is changed.
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

/** The text when it is a date alone, of a day that exists. */
export function readDay(text: string): string | undefined {
  return text.length === 10 && readTimestamp(text) !== undefined ? text : undefined;
}
