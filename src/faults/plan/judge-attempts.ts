/** Judges the retries of a client by its attempts. */

import type { Verdict as RuleVerdict } from '#kit/verdict/verdict.js';
import type { Attempt, ShownFault } from './attempts.js';
import {
  type Conclusion,
  gapsOf,
  judgeBackingOff,
  judgeJitter,
  judgePatience,
  type Patience,
  spreadsOf,
} from './judge-waits.js';
import { type JudgedSeries, judgeRetryRules, repeatsUnsafely } from './retry-rules.js';
import { type Attempts, isDone, type NumberedAttempt, seriesOf } from './series.js';

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
  readonly verdicts?: readonly RuleVerdict[];
}

/** Judges all series. With `after`, returns only later attempts and their series. */
export function judgeAttempts(given: readonly NumberedAttempt[], after = 0): Judgement {
  const inOrder = [...given].sort((a, b) => a.attempt.timeMs - b.attempt.timeMs || a.id - b.id);
  const all = seriesOf(inOrder);
  const spreads = spreadsOf(all.map((series) => gapsOf(attemptsOf(series))));
  const logged = new Map<number, LoggedAttempt>();
  for (const series of all) {
    for (const [place, { id, attempt }] of series.entries()) {
      if (id > after) logged.set(id, showAttempt(id, attempt, place, series[place - 1]?.attempt));
    }
  }
  const returned = all.filter((series) => series.some(({ id }) => id > after));
  const reads = inOrder.map(({ attempt }) => attempt).filter(isRead);
  const judged = returned.map((series): JudgedSeries => {
    const attempts = attemptsOf(series);
    const gaps = gapsOf(attempts);
    return {
      attempts,
      reads,
      backedOff: judgeBackingOff(gaps),
      jittered: judgeJitter(gaps, spreads),
    };
  });
  return {
    attempts: inOrder.flatMap(({ id }) => logged.get(id) ?? []),
    series: returned.flatMap((series, index) => {
      const judgement = judged[index];
      return judgement === undefined ? [] : showSeries(series, judgement);
    }),
    ...(judged.length > 0 && { verdicts: judgeRetryRules(judged) }),
  };
}

/** GET, HEAD, and POSTs that do no harm twice, such as GraphQL queries. */
const isRead = ({ method, isSuccess, isRepeatable, idempotencyKey, status }: Attempt) => {
  const isByMethod = ['GET', 'HEAD'].includes(method);
  const isQuery = method === 'POST' && isRepeatable === true && idempotencyKey === null;
  return (isByMethod && (isSuccess || status === 404)) || (isQuery && isSuccess);
};

const attemptsOf = (series: Attempts) => series.map(({ attempt }) => attempt);

function showAttempt(
  id: number,
  attempt: Attempt,
  index: number,
  before: Attempt | undefined,
): LoggedAttempt {
  const { timeMs, method, path, rule, fault, connectionReused, idempotencyKey, requestId } =
    attempt;
  return {
    id,
    time: new Date(timeMs).toISOString(),
    method,
    path,
    attempt: index + 1,
    gapMs: before === undefined ? null : timeMs - before.timeMs,
    rule,
    fault,
    connectionReused,
    idempotencyKey,
    requestId,
  };
}

function showSeries(series: Attempts, judged: JudgedSeries): Series {
  const [{ attempt: first }] = series;
  const { method, path, idempotencyKey, key } = first;
  const isOfOneKey = series.every(({ attempt }) => attempt.key === key);
  const succeeded = isDone(series);
  return {
    method,
    path,
    idempotencyKey: isOfOneKey ? idempotencyKey : null,
    verdict: {
      retried: series.length > 1,
      succeeded,
      honouredRetryAfter: judgePatience(judged.attempts),
      backedOff: asBoolean(judged.backedOff),
      jittered: asBoolean(judged.jittered),
      gaveUpAfter: succeeded ? null : series.length,
      repeatedUnsafely: repeatsUnsafely(judged),
      sameBody: judgeBodies(judged.attempts),
    },
  };
}

function asBoolean(finding: Conclusion): boolean | null {
  return finding === null || finding === 'unclear' ? null : finding === 'kept';
}

function judgeBodies(attempts: readonly Attempt[]): boolean | null {
  const seen = attempts.flatMap(({ body }) => body ?? []);
  const isWithout = seen.every((body) => body === '');
  if (isWithout || seen.length < 2) return null;
  return seen.every((body) => body === seen[0]);
}
