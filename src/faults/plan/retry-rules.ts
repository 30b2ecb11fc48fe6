/** The rules of retries, each judged over all series of attempts. */

import { advice, cite, demanded } from '#kit/verdict/citations.js';
import { type JudgedPart, type JudgedRule, type Verdict, verdictOn } from '#kit/verdict/verdict.js';
import type { Attempt } from './attempts.js';
import { type Conclusion, patienceAfter } from './judge-waits.js';
import { isCertainRepetition, mayBeDone } from './series.js';

export interface JudgedSeries {
  readonly attempts: readonly Attempt[];
  /** Successful reads of the client in its other series. */
  readonly reads: readonly Attempt[];
  readonly backedOff: Conclusion;
  readonly jittered: Conclusion;
}

interface RetryRule extends JudgedRule {
  readonly parts: (series: JudgedSeries) => readonly JudgedPart[];
}

const crossed = 'Send the repetition at least 50 ms after the response, or on its connection.';

/** Client errors that the same request gets again. */
const lastingErrors = [400, 401, 403, 404, 405, 409, 410, 413, 415, 422];

const rules: readonly RetryRule[] = [
  {
    rule: 'retry-after',
    level: 'should',
    section: cite('RFC 9110', '10.2.3'),
    hint: 'Wait at least as long as Retry-After says, from the response on.',
    parts: eachRepetition((attempt, next) => {
      const patience = patienceAfter(attempt, next);
      if (patience === null || patience.honoured) return patience && true;
      return isCertainRepetition(next, attempt) ? false : crossed;
    }),
  },
  {
    rule: 'back-off',
    level: 'advice',
    section: advice,
    hint: 'Wait longer before each further attempt, up to a maximum.',
    parts: ({ attempts, backedOff }) => [
      partOf(backedOff, attempts, 'At least three gaps without Retry-After that are equal.'),
    ],
  },
  {
    rule: 'jitter',
    level: 'advice',
    section: advice,
    hint: 'Vary the waits by chance, so that clients do not retry together.',
    parts: ({ attempts, jittered }) => [
      partOf(jittered, attempts, 'Three series with longer waits.'),
    ],
  },
  {
    rule: 'safe-repetition',
    level: 'must',
    section: demanded(cite('RFC 9110', '9.2.2')),
    hint: 'Repeat POST and PATCH only with a condition, or with the Idempotency-Key of the first attempt.',
    parts: safetyOf,
  },
  {
    rule: 'same-body',
    level: 'must',
    section: demanded(cite('draft-ietf-httpapi-idempotency-key-header', '2.2')),
    hint: 'Repeat a request with the same body.',
    parts: eachRepetition((attempt, next) => {
      const { body, isMultipart } = attempt;
      if (
        !mayBeDone(attempt) ||
        body === null ||
        next.body === null ||
        (body === '' && next.body === '')
      )
        return null;
      if (body === next.body) return true;
      return isMultipart ? 'Use the same boundary in each attempt.' : false;
    }),
  },
  {
    rule: 'client-errors-not-repeated',
    level: 'advice',
    section: advice,
    hint: 'Change a request that was rejected with a client error before it is sent again.',
    parts: ({ attempts }) => attempts.map((each, index) => persistence(each, attempts[index + 1])),
  },
];

/** The rules without their judges. */
export const retryRules: readonly JudgedRule[] = rules.map(({ parts: _parts, ...rule }) => rule);

export function judgeRetryRules(series: readonly JudgedSeries[]): readonly Verdict[] {
  return rules.map(({ parts, ...rule }) => verdictOn('retries', rule, series.flatMap(parts)));
}

const idsOf = (attempts: readonly Attempt[]) => attempts.map(({ requestId }) => requestId);

/** Judges each repetition: kept or not, `null` if it is not concerned, or what would decide. */
function eachRepetition(
  judge: (attempt: Attempt, next: Attempt) => boolean | string | null,
): RetryRule['parts'] {
  return ({ attempts }) =>
    attempts.slice(1).flatMap((next, index) => {
      const attempt = attempts[index];
      return attempt === undefined ? [] : partOn(judge(attempt, next), [attempt, next]);
    });
}

function partOn(judged: boolean | string | null, attempts: readonly Attempt[]): JudgedPart {
  const requests = idsOf(attempts);
  if (typeof judged !== 'string') return { isKept: judged, requests };
  return { isKept: null, decidedBy: judged, requests };
}

function partOf(finding: Conclusion, attempts: readonly Attempt[], decidedBy: string): JudgedPart {
  const judged = finding === 'unclear' ? decidedBy : finding && finding === 'kept';
  return partOn(judged, attempts);
}

const isUnsafe = ({ method }: Attempt) => method === 'POST' || method === 'PATCH';

/** The first attempt already keeps the rule if it is not repeated. */
function safetyOf(series: JudgedSeries): readonly JudgedPart[] {
  const { attempts, reads } = series;
  const [first] = attempts;
  if (first === undefined || !isUnsafe(first) || !mayBeDone(first)) return [];
  if (attempts.length === 1) return [partOn(true, attempts)];
  return eachRepetition((attempt, next) => {
    const judged = repeatsSafely(attempt, next);
    if (judged !== false || !reads.some((read) => isLookUp(read, attempt, next))) return judged;
    return 'Whether the client saw in between that nothing was done.';
  })(series);
}

/** Whether a client may have seen the effect of an attempt, before it sent the next one. */
function isLookUp(read: Attempt, attempt: Attempt, next: Attempt): boolean {
  const isThere = read.path === attempt.path || read.path.startsWith(`${attempt.path}/`);
  const isBetween = read.timeMs >= attempt.respondedAtMs && read.respondedAtMs <= next.timeMs;
  return isThere && isBetween && read.authorization === attempt.authorization;
}

function repeatsSafely(attempt: Attempt, next: Attempt): boolean | string | null {
  if (!mayBeDone(attempt)) return null;
  if (attempt.isRepeatable && next.isRepeatable) return true;
  if (attempt.key !== null && attempt.key === next.key) return true;
  if (attempt.isRepeatable === null) return 'Repeat a request that certainly changes something.';
  if (attempt.body === null || next.body === null) return 'Send bodies that are read completely.';
  if (attempt.fault?.hang) return 'Plan reset or status, after which the client cannot still wait.';
  return isCertainRepetition(next, attempt) ? false : crossed;
}

export function repeatsUnsafely(series: JudgedSeries): boolean {
  return safetyOf(series).some(({ isKept }) => isKept === false);
}

/** Judges what follows a client error. */
function persistence(attempt: Attempt, next: Attempt | undefined): JudgedPart {
  const { status = 0, retryAfterMs, fault, headers, key } = attempt;
  // Retry-After invites to repeat the request, and so does a key whose first request is not done.
  const isLasting = lastingErrors.includes(status) && retryAfterMs === undefined;
  if (!isLasting || (status === 409 && key !== null)) return partOn(null, []);
  if (next === undefined) return partOn(true, [attempt]);
  const isChanged = headers !== next.headers || attempt.body !== next.body;
  const isOvercome = fault === null && next.isSuccess;
  const isKept = isChanged || isOvercome ? null : false;
  return partOn(isKept, [attempt, next]);
}
