/** Parses times that callers send: RFC 3339, and looser forms that suit a query parameter. */

/** The form that this service writes, for days that exist in every month. */
const ownForm =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const written =
  /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/** Describes the input that {@link readTimestamp} accepts. */
export const timestampForm =
  'a date or a time such as 2027-03-12 or 2027-03-12T18:00:00Z (a plus sign is written %2B)';

/**
 * Returns an instant of the years 0000 to 9999 in a form that sorts as text, such as
 * `2027-03-12T18:00:00.000Z`. A date means its first moment; a time without an offset is in UTC.
 */
export function readTimestamp(text: string): string | undefined {
  if (ownForm.test(text)) return text;
  const upper = text.toUpperCase();
  const match = written.exec(upper);
  if (match === null) return undefined;
  const [, date = '', time, offset] = match;
  const day = new Date(`${date}T00:00:00Z`);
  // Date turns 30 February into 2 March; only a real day is unchanged.
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date)) return undefined;
  if (time === undefined) return day.toISOString();
  const instant = new Date(offset === undefined ? `${upper}Z` : upper).toISOString();
  return instant.length === 24 ? instant : undefined;
}
