/** Parses the waiting time of Retry-After (RFC 9110 section 10.2.3). */

/** Every date format begins with the name of a day. */
const dateStart = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? /;

/** Returns milliseconds from now; `undefined` if the value is neither seconds nor a date. */
export function parseRetryAfter(value: string, nowMs: number): number | undefined {
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // The asctime format has no zone; all dates are in UTC.
  const inUtc = value.endsWith(' GMT') ? value : `${value} GMT`;
  const atMs = dateStart.test(value) ? Date.parse(inUtc) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
