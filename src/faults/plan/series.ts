/** Groups attempts into series: one request, and its repetitions after failures. */

import { identityOf, isAfterResponse, orderOf } from '#kit/verdict/exchange.js';
import type { Attempt } from './attempts.js';

export interface NumberedAttempt {
  readonly id: number;
  readonly attempt: Attempt;
}

export type Attempts = [NumberedAttempt, ...NumberedAttempt[]];

/** Waits are not measured more precisely. */
export const toleranceMs = 10;

/** Whether the service may have done the work, as far as the client knows. */
export function mayBeDone({ isSuccess, isUnprocessed, status = 0 }: Attempt): boolean {
  return !isSuccess && !isUnprocessed && (status < 400 || status >= 500);
}

/**
 * Whether an attempt was sent after an earlier response. Without a response, the client had left
 * before, which may be noticed late.
 */
function isAfter(next: Attempt, { status, respondedAtMs }: Attempt): boolean {
  return isAfterResponse(next, respondedAtMs - (status === undefined ? toleranceMs : 0));
}

/** A client whose request hangs may still wait for the response. */
export function isCertainRepetition(next: Attempt, attempt: Attempt): boolean {
  return !attempt.fault?.hang && orderOf(next, attempt) === 'after';
}

/**
 * Attempts are of one series if they have the same method, target and credentials, and the same key
 * or, without keys, the same body. A success ends a series. A repetition
 * belongs to the earliest response that could explain it.
 */
export function seriesOf(inOrder: readonly NumberedAttempt[]): readonly Attempts[] {
  const all = new Set<Attempts>();
  const open = new Map<string, Attempts[]>();
  for (const each of inOrder) {
    const key = identityOf(each.attempt);
    const series = takeEarliest(open, key, each.attempt);
    const extended: Attempts = series ?? [each];
    if (series === undefined) all.add(extended);
    else series.push(each);
    if (!isDone(extended)) putByResponse(open, key, extended);
  }
  return withOtherKeys([...all]);
}

/** Joins series of one body with different keys, of which one follows the failure of another. */
function withOtherKeys(all: readonly Attempts[]): readonly Attempts[] {
  const ended = new Map<string, Attempts[]>();
  const joined = new Map<Attempts, Attempts>();
  const byEnd = [...all].sort((one, other) => endOf(one) - endOf(other));
  for (const each of byEnd) {
    const { attempt } = lastOf(each);
    if (attempt.isRepeatable !== true && mayBeDone(attempt)) {
      putByResponse(ended, identityOf(attempt, 'body'), each);
    }
  }
  return all.flatMap((series): Attempts[] => {
    const [{ attempt: first }] = series;
    const key = identityOf(first, 'body');
    const isOther = (each: Attempts) => each !== series && lastOf(each).attempt.key !== first.key;
    const before = first.body === null ? undefined : takeEarliest(ended, key, first, isOther);
    if (before === undefined) return [series];
    const whole = joined.get(before) ?? before;
    whole.push(...series);
    joined.set(series, whole);
    return [];
  });
}

const lastOf = (series: Attempts): NumberedAttempt => series.at(-1) as NumberedAttempt;
const endOf = (series: Attempts) => lastOf(series).attempt.respondedAtMs;

/** Removes and returns the series with the earliest response, if the attempt was sent after it. */
function takeEarliest(
  open: Map<string, Attempts[]>,
  key: string,
  attempt: Attempt,
  isMeant: (series: Attempts) => boolean = () => true,
): Attempts | undefined {
  const waiting = open.get(key) ?? [];
  const index = waiting.findIndex(isMeant);
  const found = waiting[index];
  if (found === undefined || !isAfter(attempt, lastOf(found).attempt)) return undefined;
  waiting.splice(index, 1);
  return found;
}

/** Keeps the series in the order of their last responses. */
function putByResponse(open: Map<string, Attempts[]>, key: string, series: Attempts): void {
  const waiting = open.get(key) ?? [];
  const before = waiting.findLastIndex((each) => endOf(each) <= endOf(series));
  waiting.splice(before + 1, 0, series);
  open.set(key, waiting);
}

const isGone = ({ method, status }: Attempt) =>
  method === 'DELETE' && (status === 404 || status === 410);

/** A DELETE has succeeded, too, if its record is gone after an attempt that may have deleted it. */
export function isDone(series: readonly NumberedAttempt[]): boolean {
  const last = series.at(-1)?.attempt;
  if (last === undefined) return false;
  return (
    last.isSuccess ||
    (isGone(last) && series.slice(0, -1).some(({ attempt }) => mayBeDone(attempt)))
  );
}
