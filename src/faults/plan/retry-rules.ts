/** The rules of retries, each judged over all series of attempts. */

import {
  type JudgedPart,
  type JudgedRule,
  type Verdict,
  verdictOn,
} from '../../kit/verdict/verdict.js';
import type { Attempt } from './attempts.js';

interface JudgedSeries {
  readonly attempts: readonly Attempt[];
  readonly verdict: {
    readonly backedOff: boolean | null;
    readonly jittered: boolean | null;
    readonly repeatedUnsafely: boolean;
    readonly sameBody: boolean | null;
  };
}

interface RetryRule extends JudgedRule {
  readonly parts: (series: JudgedSeries) => readonly JudgedPart[];
}

const idsOf = (attempts: readonly Attempt[]) => attempts.map(({ requestId }) => requestId);

const rules: readonly RetryRule[] = [
  {
    rule: 'retry-after',
    level: 'should',
    section: 'RFC 9110 section 10.2.3',
    hint: 'Wait at least as long as Retry-After says, from the response on.',
    parts: ({ attempts }: JudgedSeries) =>
      attempts.map((attempt, index): JudgedPart => {
        const next = attempts[index + 1];
        const { retryAfterMs, respondedAtMs } = attempt;
        if (retryAfterMs === undefined || next === undefined) return { isKept: null, requests: [] };
        const isKept = next.timeMs - respondedAtMs >= retryAfterMs;
        return { isKept, requests: idsOf([attempt, next]) };
      }),
  },
  {
    rule: 'back-off',
    level: 'advice',
    section: 'RFC 8961 section 4',
    hint: 'Wait longer before each further attempt: at least 1.2 times the previous gap.',
    parts: ({ attempts, verdict }: JudgedSeries) => [
      { isKept: verdict.backedOff, requests: idsOf(attempts) },
    ],
  },
  {
    rule: 'jitter',
    level: 'advice',
    section: 'RFC 7252 section 4.8.1',
    hint: 'Vary the waits by chance, so that clients do not retry together.',
    parts: ({ attempts, verdict }: JudgedSeries) => [
      { isKept: verdict.jittered, requests: idsOf(attempts) },
    ],
  },
  {
    rule: 'safe-repetition',
    level: 'must',
    section: 'RFC 9110 section 9.2.2',
    hint: 'Repeat POST and PATCH only with an Idempotency-Key.',
    parts: ({ attempts, verdict }: JudgedSeries) => {
      const isUnsafe = attempts.some(({ method }) => method === 'POST' || method === 'PATCH');
      const isTempted = attempts[0]?.isSuccess === false && !attempts[0].isUnprocessed;
      const isKept = isUnsafe && isTempted ? !verdict.repeatedUnsafely : null;
      return [{ isKept, requests: idsOf(attempts) }];
    },
  },
  {
    rule: 'same-body',
    level: 'must',
    section: 'draft-ietf-httpapi-idempotency-key-header section 2',
    hint: 'Repeat a request with the same body.',
    parts: ({ attempts, verdict }: JudgedSeries) => [
      { isKept: verdict.sameBody, requests: idsOf(attempts) },
    ],
  },
];

export function judgeRetryRules(series: readonly JudgedSeries[]): readonly Verdict[] {
  return rules.map(({ parts, ...rule }) => verdictOn('retries', rule, series.flatMap(parts)));
}
