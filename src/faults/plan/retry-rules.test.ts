import { expect, test } from 'vitest';
import { failedAttempt } from '../../../test/support/attempt.js';
import { redact } from '../../base/text/redact.js';
import type { Attempt } from './attempts.js';
import { judgeAttempts } from './judge-attempts.js';

/** Returns the verdicts on attempts at these times, with request ids like the times. */
function verdictsOn(times: readonly number[], changed: Partial<Attempt> = {}, last = changed) {
  const attempts = times.map((timeMs, index) => ({
    id: index + 1,
    attempt: {
      ...failedAttempt,
      timeMs,
      respondedAtMs: timeMs,
      requestId: `at-${timeMs}`,
      ...(index === times.length - 1 ? last : changed),
    },
  }));
  return judgeAttempts(attempts).verdicts ?? [];
}

const post = { method: 'POST', body: 'x' };

test.each<[string, Parameters<typeof verdictsOn>, Record<string, string>]>([
  ['no attempt', [[]], {}],
  ['one failure', [[0]], {}],
  ['waits as Retry-After says', [[0, 1000], { retryAfterMs: 1000 }], { 'retry-after': 'kept' }],
  ['too early', [[0, 999], { retryAfterMs: 1000 }], { 'retry-after': 'broken' }],
  ['longer gaps', [[0, 100, 300]], { 'back-off': 'kept' }],
  ['equal gaps', [[0, 100, 200]], { 'back-off': 'broken' }],
  ['a single POST that fails', [[0], post], { 'safe-repetition': 'kept' }],
  ['a POST that succeeds', [[0], { ...post, isSuccess: true }], {}],
  ['a repeated POST', [[0, 100], post], { 'safe-repetition': 'broken', 'same-body': 'kept' }],
  [
    'a repeated POST with a key',
    [[0, 100], { ...post, idempotencyKey: redact('k') }],
    { 'safe-repetition': 'kept', 'same-body': 'kept' },
  ],
  [
    'a POST that was not processed',
    [[0, 100], { ...post, isUnprocessed: true }],
    { 'same-body': 'kept' },
  ],
  [
    'another body',
    [
      [0, 100],
      { ...post, idempotencyKey: redact('k') },
      { ...post, idempotencyKey: redact('k'), body: 'y' },
    ],
    { 'safe-repetition': 'kept', 'same-body': 'broken' },
  ],
])('%s', (_name, given, expected) => {
  const reached = verdictsOn(...given).filter(({ outcome }) => outcome !== 'not-reached');
  expect(Object.fromEntries(reached.map(({ rule, outcome }) => [rule, outcome]))).toEqual(expected);
});

test('the evidence is the requests that show it', () => {
  const [retryAfter] = verdictsOn([0, 2000, 2500], { retryAfterMs: 1000 });
  expect(retryAfter).toEqual({
    id: 'retries-retry-after',
    rule: 'retry-after',
    outcome: 'broken',
    section: 'RFC 9110 section 10.2.3',
    evidence: ['at-2000', 'at-2500'],
    hint: 'Wait at least as long as Retry-After says, from the response on.',
  });
});
