import { expect, test } from 'vitest';
import { redact } from '#base/text/redact.js';
import { failedAttempt } from '../../../test/support/attempt.js';
import type { Attempt } from './attempts.js';
import { judgeAttempts } from './judge-attempts.js';

type Change = Partial<Attempt>;

/** Attempts at these times, with request ids like the times; the last may differ. */
const at = (times: readonly number[], changed: Change = {}, last: Change = changed): Attempt[] =>
  times.map((timeMs, index) => ({
    ...failedAttempt,
    timeMs,
    respondedAtMs: timeMs,
    requestId: `at-${timeMs}`,
    ...(index === times.length - 1 ? last : changed),
  }));

const verdictsOn = (attempts: readonly Attempt[]) =>
  judgeAttempts(attempts.map((attempt, index) => ({ id: index + 1, attempt }))).verdicts ?? [];

const post = { method: 'POST', body: 'x', isRepeatable: false };
const keyed = { ...post, key: 'k', idempotencyKey: redact('k') };
const ok = { isSuccess: true, status: 200 };
const asked = { retryAfterMs: 1000 };
const rejected = { status: 400, fault: { status: 400 } };
const own404 = { status: 404, fault: null };

test.each<[string, readonly Attempt[], Record<string, string>]>([
  ['no attempt', [], {}],
  ['one failure', at([0]), {}],
  ['waits as Retry-After says', at([0, 1000], asked), { 'retry-after': 'kept' }],
  ['too early', at([0, 900], asked), { 'retry-after': 'against-advice' }],
  ['in parallel, before the response', at([0, 1, 2], { ...asked, respondedAtMs: 300 }), {}],
  ['at once, perhaps in parallel', at([0, 3], asked), { 'retry-after': 'unclear' }],
  ['longer gaps', at([0, 100, 300]), { 'back-off': 'kept' }],
  ['equal gaps up to a maximum', at([0, 100, 300, 700, 1100]), { 'back-off': 'kept' }],
  ['two equal gaps', at([0, 100, 200]), { 'back-off': 'unclear' }],
  ['three equal gaps', at([0, 100, 200, 300]), { 'back-off': 'against-advice' }],
  ['gaps of full jitter', at([0, 900, 1000, 1600, 1700]), { 'back-off': 'unclear' }],
  ['gaps that Retry-After shortens', at([0, 2000, 3000], asked), { 'retry-after': 'kept' }],
  ['a single POST that fails', at([0], post), { 'safe-repetition': 'kept' }],
  ['a POST that succeeds', at([0], { ...post, ...ok }), {}],
  ['a repeated POST', at([0, 100], post), { 'safe-repetition': 'broken', 'same-body': 'kept' }],
  [
    'a repeated POST after a look at the records',
    [...at([0], post), ...at([50], ok), ...at([100], post)],
    { 'safe-repetition': 'unclear', 'same-body': 'kept' },
  ],
  [
    'a repeated POST after a look at other records',
    [...at([0], post), ...at([50], { ...ok, path: redact('/other') }), ...at([100], post)],
    { 'safe-repetition': 'broken', 'same-body': 'kept' },
  ],
  [
    'a repeated POST with a look at the records before',
    [...at([0], ok), ...at([50, 100], post)],
    { 'safe-repetition': 'broken', 'same-body': 'kept' },
  ],
  [
    'a repeated POST during a failed look at the records',
    [...at([0], post), ...at([50]), ...at([100], post)],
    { 'safe-repetition': 'broken', 'same-body': 'kept' },
  ],
  [
    'two POSTs of different bodies',
    at([0, 100], post, { ...post, body: 'y' }),
    { 'safe-repetition': 'kept' },
  ],
  [
    'a POST of another client',
    at([0, 100], post, { ...post, authorization: 'b' }),
    {
      'safe-repetition': 'kept',
    },
  ],
  [
    'a repeated POST with a key',
    at([0, 100], keyed),
    { 'safe-repetition': 'kept', 'same-body': 'kept' },
  ],
  [
    'a repeated POST with a new key',
    at([0, 100], keyed, { ...keyed, key: 'l' }),
    { 'safe-repetition': 'broken', 'same-body': 'kept' },
  ],
  [
    'a POST at once, perhaps in parallel',
    at([0, 3], post),
    { 'safe-repetition': 'unclear', 'same-body': 'kept' },
  ],
  [
    'a POST that only reads, or has a condition',
    at([0, 100], { ...post, isRepeatable: true }),
    { 'safe-repetition': 'kept', 'same-body': 'kept' },
  ],
  [
    'a POST that may change something',
    at([0, 100], { ...post, isRepeatable: null }),
    { 'safe-repetition': 'unclear', 'same-body': 'kept' },
  ],
  [
    'a POST whose body was not read',
    at([0, 100], { ...post, body: null }),
    { 'safe-repetition': 'unclear' },
  ],
  [
    'a POST after a POST that hangs',
    at([0, 100], { ...post, fault: { hang: true } }),
    { 'safe-repetition': 'unclear', 'same-body': 'kept' },
  ],
  ['a POST that was not processed', at([0, 100], { ...post, isUnprocessed: true }), {}],
  ['a POST after 429', at([0, 100], { ...post, status: 429 }, { ...post, ...ok }), {}],
  [
    'another body',
    at([0, 100], keyed, { ...keyed, body: 'y' }),
    { 'safe-repetition': 'kept', 'same-body': 'broken' },
  ],
  [
    'a multipart body with another boundary',
    at([0, 100], { ...keyed, isMultipart: true }, { ...keyed, body: 'y' }),
    { 'safe-repetition': 'kept', 'same-body': 'unclear' },
  ],
  ['a client error once', at([0], rejected), { 'client-errors-not-repeated': 'kept' }],
  [
    'a client error again',
    at([0, 100], rejected),
    { 'client-errors-not-repeated': 'against-advice' },
  ],
  [
    'a client error, then other headers',
    at([0, 100], rejected, { ...rejected, headers: 'b', ...ok }),
    {},
  ],
  [
    'a client error with Retry-After',
    at([0, 2000], { ...rejected, ...asked }),
    {
      'retry-after': 'kept',
    },
  ],
  ['a record that was created in between', at([0, 100], own404, ok), {}],
])('%s', (_name, attempts, expected) => {
  const reached = verdictsOn(attempts).filter(({ outcome }) => outcome !== 'not-reached');
  expect(Object.fromEntries(reached.map(({ rule, outcome }) => [rule, outcome]))).toEqual(expected);
});

test('the evidence is the requests that show it', () => {
  const [retryAfter] = verdictsOn(at([0, 2000, 2500], asked));
  expect(retryAfter).toMatchObject({
    id: 'retries-retry-after',
    outcome: 'against-advice',
    evidence: ['at-2000', 'at-2500'],
  });
});

test('an unclear outcome says what would decide it', () => {
  const [, , , safety] = verdictsOn(at([0, 3], post));
  expect(safety).toMatchObject({
    rule: 'safe-repetition',
    decidedBy: expect.stringMatching(/50 ms/),
  });
});
