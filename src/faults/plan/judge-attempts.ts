/** Judges the retries of a client by its attempts. */

import type { Verdict as RuleVerdict } from '../../kit/verdict/verdict.js';
import type { Attempt, ShownFault } from './attempts.js';
import { judgeRetryRules } from './retry-rules.js';

export interface LoggedAttempt {
  readonly id: number;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  /** Since the previous attempt; null for the first. */
  readonly gapMs: number | null;
  readonly rule: string;
  readonly fault: ShownFault | null;
  readonly connectionReused: boolean;
  readonly idempotencyKey: string | null;
  readonly requestId: string;
}

export interface Patience {
  readonly honoured: boolean;
  readonly askedMs: number;
  readonly waitedMs: number;
}

export interface Verdict {
  readonly retried: boolean;
  readonly succeeded: boolean;
  readonly honouredRetryAfter: Patience | null;
  readonly backedOff: boolean | null;
  readonly jittered: boolean | null;
  readonly gaveUpAfter: number | null;
  readonly repeatedUnsafely: boolean;
  readonly sameBody: boolean | null;
}

export interface Series {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly verdict: Verdict;
}

export interface Judgement {
  readonly attempts: readonly LoggedAttempt[];
  readonly series: readonly Series[];
  /** The rules of retries, over all series; absent without attempts. */
  readonly verdicts?: readonly RuleVerdict[];
}

export interface NumberedAttempt {
  readonly id: number;
  readonly attempt: Attempt;
}

/** Minimum ratio of two gaps of a client that backs off. */
const growth = 1.2;

/** Maximum ratio of gaps that count as equal. */
const sameness = 1.05;

/** A shorter gap is the duration of a request, not a wait. */
const shortestWaitMs = 5;

/**
 * Judges series of attempts with the same method, path and idempotency key; a success ends a
 * series. With `after`, returns only later attempts and their series.
 */
export function judgeAttempts(given: readonly NumberedAttempt[], after = 0): Judgement {
  const inOrder = [...given].sort((a, b) => a.attempt.timeMs - b.attempt.timeMs || a.id - b.id);
  const all = seriesOf(inOrder);
  const spreads = spreadsOf(all.map(gapsOf));
  const told = new Map<number, LoggedAttempt>();
  for (const series of all) {
    for (const [place, { id, attempt }] of series.entries()) {
      if (id > after) told.set(id, logged(id, attempt, place, series[place - 1]?.attempt));
    }
  }
  const judged = all
    .filter((series) => series.some(({ id }) => id > after))
    .map((series) => ({
      attempts: series.map(({ attempt }) => attempt),
      verdict: judge(series, spreads),
    }));
  return {
    attempts: inOrder.flatMap(({ id }) => told.get(id) ?? []),
    series: judged.flatMap(({ attempts: [first], verdict }) => {
      if (first === undefined) return [];
      const { method, path, idempotencyKey } = first;
      return { method, path, idempotencyKey, verdict };
    }),
    ...(judged.length > 0 && { verdicts: judgeRetryRules(judged) }),
  };
}

type Attempts = [NumberedAttempt, ...NumberedAttempt[]];

function seriesOf(inOrder: readonly NumberedAttempt[]): Attempts[] {
  const all: Attempts[] = [];
  const open = new Map<string, Attempts>();
  for (const each of inOrder) {
    const { method, path, idempotencyKey, sentAs, isSuccess } = each.attempt;
    const key = JSON.stringify([method, path, idempotencyKey, sentAs]);
    const series = open.get(key);
    if (series === undefined) {
      const begun: Attempts = [each];
      all.push(begun);
      open.set(key, begun);
    } else {
      series.push(each);
    }
    if (isSuccess) open.delete(key);
  }
  return all;
}

function logged(id: number, attempt: Attempt, place: number, before: Attempt | undefined) {
  const { timeMs, method, path, rule, fault, connectionReused, idempotencyKey, requestId } =
    attempt;
  return {
    id,
    time: new Date(timeMs).toISOString(),
    method,
    path,
    attempt: place + 1,
    gapMs: before === undefined ? null : timeMs - before.timeMs,
    rule,
    fault,
    connectionReused,
    idempotencyKey,
    requestId,
  };
}

function gapsOf(series: Attempts): number[] {
  return series.slice(1).map(({ attempt }, index) => {
    const gap = attempt.timeMs - (series[index]?.attempt.timeMs ?? attempt.timeMs);
    return Math.max(gap, shortestWaitMs);
  });
}

/** Gaps at the same position of all series. */
interface Spread {
  readonly count: number;
  readonly min: number;
  readonly max: number;
}

function spreadsOf(gapsOfAll: readonly (readonly number[])[]): readonly Spread[] {
  const spreads: Spread[] = [];
  for (const gaps of gapsOfAll) {
    for (const [place, gap] of gaps.entries()) {
      const { count, min, max } = spreads[place] ?? { count: 0, min: gap, max: gap };
      spreads[place] = { count: count + 1, min: Math.min(min, gap), max: Math.max(max, gap) };
    }
  }
  return spreads;
}

function judge(series: Attempts, spreads: readonly Spread[]): Verdict {
  const gaps = gapsOf(series);
  const attempts = series.map(({ attempt }) => attempt);
  const [{ attempt: first }] = series;
  const succeeded = attempts.at(-1)?.isSuccess ?? false;
  const retried = attempts.length > 1;
  const isRepeated = attempts.slice(0, -1).some(({ isUnprocessed }) => !isUnprocessed);
  const isUnsafe = first.method === 'POST' || first.method === 'PATCH';
  return {
    retried,
    succeeded,
    honouredRetryAfter: judgePatience(attempts),
    backedOff: judgeBackingOff(gaps),
    jittered: judgeJitter(gaps, spreads),
    gaveUpAfter: succeeded ? null : attempts.length,
    repeatedUnsafely: isRepeated && isUnsafe && first.idempotencyKey === null,
    sameBody: judgeBodies(attempts),
  };
}

/** Returns the wait that exceeds Retry-After by the least. */
function judgePatience(attempts: readonly Attempt[]): Patience | null {
  let worst: Patience | null = null;
  for (const [index, { retryAfterMs: askedMs, respondedAtMs }] of attempts.entries()) {
    const next = attempts[index + 1];
    if (askedMs === undefined || next === undefined) continue;
    const waitedMs = next.timeMs - respondedAtMs;
    if (worst !== null && waitedMs - askedMs >= worst.waitedMs - worst.askedMs) continue;
    worst = { honoured: waitedMs >= askedMs, askedMs, waitedMs };
  }
  return worst;
}

function judgeBackingOff(gaps: readonly number[]): boolean | null {
  if (gaps.length < 2) return null;
  return gaps.every((gap, index) => index === 0 || gap >= growth * (gaps[index - 1] ?? 0));
}

/**
 * Compares gaps at the same position of several series; at least half of the positions must differ.
 */
function judgeJitter(gaps: readonly number[], spreads: readonly Spread[]): boolean | null {
  const compared = spreads.slice(0, gaps.length).flatMap(({ count, min, max }) => {
    return count < 2 ? [] : max > sameness * min;
  });
  if (compared.length === 0) return null;
  return 2 * compared.filter((isDifferent) => isDifferent).length >= compared.length;
}

function judgeBodies(attempts: readonly Attempt[]): boolean | null {
  const seen = attempts.flatMap(({ body }) => body ?? []);
  const isWithout = seen.every((body) => body === '');
  if (isWithout || seen.length < 2) return null;
  return seen.every((body) => body === seen[0]);
}
