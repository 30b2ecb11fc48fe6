/** Periods of subscriptions, in UTC. */

import type { Value } from '../engine/objects.js';

const daySeconds = 24 * 60 * 60;

/** Adds months to a time; a day that the month does not have becomes its last. */
function addMonths(time: number, months: number): number {
  const date = new Date(time * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return Math.floor(date.getTime() / 1000);
}

/** Returns the time that is this many intervals after the anchor. */
function nth(anchor: number, { interval, interval_count: count }: Value, place: number): number {
  if (interval === 'day') return anchor + place * count * daySeconds;
  if (interval === 'week') return anchor + place * count * 7 * daySeconds;
  return addMonths(anchor, place * count * (interval === 'year' ? 12 : 1));
}

const averageDays: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30.4, year: 365.2 };

/** Returns the first end of a period after a time. Periods begin at the anchor. */
export function periodEndAfter(anchor: number, recurring: Value, time: number): number {
  const days = (averageDays[recurring.interval] ?? 1) * recurring.interval_count;
  let place = Math.max(1, Math.floor((time - anchor) / (days * daySeconds)) - 1);
  while (nth(anchor, recurring, place) <= time) place += 1;
  return nth(anchor, recurring, place);
}
