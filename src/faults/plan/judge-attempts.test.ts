import { describe, expect, test } from 'vitest';
import { redact } from '#base/text/redact.js';
import { failedAttempt } from '../../../test/support/attempt.js';
import { growthOf, maxExponent } from '../../../test/support/growth.js';
import type { Attempt } from './attempts.js';
import { judgeAttempts } from './judge-attempts.js';
import type { NumberedAttempt } from './series.js';

/** Returns attempts at these times, each with an immediate response; the last may succeed. */
function attempts(times: readonly number[], isSuccess: boolean, changed: Partial<Attempt> = {}) {
  return times.map((timeMs, index) => {
    const isLast = isSuccess && index === times.length - 1;
    const response = { isSuccess: isLast, status: isLast ? 200 : 503 };
    return { ...failedAttempt, timeMs, respondedAtMs: timeMs, ...response, ...changed };
  });
}

function numbered(list: readonly Attempt[]): NumberedAttempt[] {
  return list.map((attempt, index) => ({ id: index + 1, attempt }));
}

const verdictsOf = (list: readonly Attempt[]) =>
  judgeAttempts(numbered(list)).series.map(({ verdict }) => verdict);
const verdictOf = (list: readonly Attempt[]) => verdictsOf(list)[0];

const post = { method: 'POST', body: 'x', isRepeatable: false };
const keyed = { ...post, key: 'k', idempotencyKey: redact('k') };

test.each<[string, readonly Attempt[], object]>([
  [
    'one success',
    attempts([0], true),
    { retried: false, succeeded: true, gaveUpAfter: null, backedOff: null, jittered: null },
  ],
  ['one failure', attempts([0], false), { retried: false, succeeded: false, gaveUpAfter: 1 }],
  [
    'a retry that succeeds',
    attempts([0, 100], true),
    { retried: true, succeeded: true, gaveUpAfter: null, backedOff: null },
  ],
  ['three failures', attempts([0, 1, 2], false), { succeeded: false, gaveUpAfter: 3 }],
  ['gaps that double', attempts([0, 100, 300, 700], true), { backedOff: true }],
  ['gaps that grow by a fifth', attempts([0, 100, 220], true), { backedOff: true }],
  ['two gaps that grow by less', attempts([0, 100, 219], true), { backedOff: null }],
  ['gaps that stay', attempts([0, 100, 200, 300], true), { backedOff: false }],
  ['gaps up to a maximum', attempts([0, 100, 300, 700, 1100, 1500], true), { backedOff: true }],
  ['gaps by chance', attempts([0, 900, 1000, 1500, 1600], true), { backedOff: null }],
  [
    'gaps of a request that is repeated at once',
    attempts([0, 1, 3, 43], true),
    { backedOff: false },
  ],
  ['a retry at once and then waits', attempts([0, 1, 101, 301], true), { backedOff: true }],
  [
    'gaps after Retry-After',
    attempts([0, 2000, 3000, 4000], true, { retryAfterMs: 1000 }),
    { backedOff: null, honouredRetryAfter: { honoured: true, askedMs: 1000, waitedMs: 1000 } },
  ],
  ['a GET repeated', attempts([0, 1], true), { repeatedUnsafely: false }],
  ['a PUT repeated', attempts([0, 1], true, { method: 'PUT' }), { repeatedUnsafely: false }],
  ['a POST sent once', attempts([0], true, post), { repeatedUnsafely: false }],
  ['a POST repeated', attempts([0, 50], true, post), { repeatedUnsafely: true }],
  ['a POST repeated too early to tell', attempts([0, 49], true, post), { repeatedUnsafely: false }],
  [
    'a POST repeated at once on its connection',
    attempts([0, 1], true, { ...post, connection: 'c' }),
    { repeatedUnsafely: true },
  ],
  [
    'a POST repeated at once on a later connection',
    attempts([0, 2], true, { ...post, acceptedAtMs: 1 }),
    { repeatedUnsafely: true },
  ],
  [
    'a PATCH repeated',
    attempts([0, 50], true, { ...post, method: 'PATCH' }),
    { repeatedUnsafely: true },
  ],
  [
    'a POST repeated with a key',
    attempts([0, 10], true, keyed),
    { repeatedUnsafely: false, retried: true },
  ],
  ['no bodies', attempts([0, 1], true), { sameBody: null }],
  ['the same body', attempts([0, 1], true, post), { sameBody: true }],
  ['one body', attempts([0], true, post), { sameBody: null }],
  [
    'another body',
    [...attempts([0], false, keyed), ...attempts([1], true, { ...keyed, body: 'y' })],
    { sameBody: false },
  ],
  [
    'a body that is left out',
    [...attempts([0], false, keyed), ...attempts([1], true, { ...keyed, body: '' })],
    { sameBody: false },
  ],
  [
    'a body that was not seen whole',
    [...attempts([0], false, keyed), ...attempts([1], true, { ...keyed, body: null })],
    { sameBody: null },
  ],
])('%s: the verdict is right', (_name, list, expected) => {
  expect(verdictOf(list)).toMatchObject(expected);
});

describe('Retry-After', () => {
  const asked = { retryAfterMs: 1000 };
  test.each<[string, readonly Attempt[], object | null]>([
    ['was not sent', attempts([0, 10], true), null],
    ['was sent last', [...attempts([0], false), ...attempts([10], false, asked)], null],
    [
      'was waited for',
      [...attempts([0], false, asked), ...attempts([1000], true)],
      { honoured: true, askedMs: 1000, waitedMs: 1000 },
    ],
    [
      'was not',
      [...attempts([0], false, asked), ...attempts([989], true)],
      { honoured: false, askedMs: 1000, waitedMs: 989 },
    ],
    [
      'was waited for within the tolerance',
      [...attempts([0], false, asked), ...attempts([990], true)],
      { honoured: true, askedMs: 1000, waitedMs: 990 },
    ],
    [
      'came after the next request was sent',
      [...attempts([0], false, { ...asked, respondedAtMs: 300 }), ...attempts([299], true)],
      null,
    ],
    [
      'counts from the response, which was late',
      [...attempts([0], false, { ...asked, respondedAtMs: 500 }), ...attempts([1400], true)],
      { honoured: false, askedMs: 1000, waitedMs: 900 },
    ],
    [
      'was waited for but once',
      [...attempts([0, 500], false, asked), ...attempts([2500], true)],
      { honoured: false, askedMs: 1000, waitedMs: 500 },
    ],
  ])('%s', (_name, list, expected) => {
    expect(verdictOf(list)?.honouredRetryAfter).toEqual(expected);
  });
});

describe('jitter', () => {
  test.each<[string, readonly (readonly number[])[], boolean | null]>([
    ['of one series cannot be told', [[0, 100]], null],
    ['of series without gaps cannot be told', [[0], [50]], null],
    [
      'cannot be told of two gaps that are alike',
      [
        [0, 1000],
        [5000, 6000],
      ],
      null,
    ],
    ['is not there when three gaps are alike', [0, 5000, 9000].map((at) => [at, at + 1000]), false],
    [
      'is there when they differ',
      [
        [0, 1000],
        [5000, 6050],
      ],
      true,
    ],
    [
      'cannot be told below 50 ms',
      [
        [0, 100],
        [500, 649],
      ],
      null,
    ],
    [
      'cannot be told below 5 %',
      [
        [0, 2000],
        [5000, 7099],
      ],
      null,
    ],
    [
      'is not there when requests are repeated at once',
      [0, 10, 20].map((at) => [at, at + 4]),
      false,
    ],
    ['of a series alone at its place cannot be told', [[0], [50, 170]], null],
    [
      'cannot be told for one gap in three that differs',
      [
        [0, 100, 300, 700],
        [1000, 1160, 1360, 1760],
      ],
      null,
    ],
  ])('%s', (_name, series, expected) => {
    const list = series.flatMap((times, index) => attempts(times, true, { target: `/${index}` }));
    expect(verdictsOf(list).map(({ jittered }) => jittered)).toEqual(series.map(() => expected));
  });
});

describe('a series', () => {
  test('ends with a success', () => {
    const { attempts: told, series } = judgeAttempts(
      numbered([...attempts([0, 10], true), ...attempts([20, 30], false)]),
    );
    expect(told.map(({ attempt, gapMs }) => [attempt, gapMs])).toEqual([
      [1, null],
      [2, 10],
      [1, null],
      [2, 10],
    ]);
    expect(series.map(({ verdict }) => verdict.succeeded)).toEqual([true, false]);
  });

  const after = { timeMs: 100, respondedAtMs: 110 };
  test.each<[string, Partial<Attempt>, Partial<Attempt>, number]>([
    ['one request', {}, after, 1],
    ['another method', {}, { ...after, method: 'PUT' }, 2],
    ['another path or query', {}, { ...after, target: '/a?b' }, 2],
    ['other credentials', {}, { ...after, authorization: 'b' }, 2],
    ['another body without a key', post, { ...post, ...after, body: 'y' }, 2],
    ['one key, another body', keyed, { ...keyed, ...after, body: 'y' }, 1],
    ['a new key for one body', keyed, { ...keyed, ...after, key: 'l' }, 1],
    ['a key that is left out', keyed, { ...keyed, ...after, key: null }, 1],
    ['a new key and body', keyed, { ...keyed, ...after, key: 'l', body: 'y' }, 2],
    ['a new key after a rejection', { ...keyed, status: 400 }, { ...keyed, ...after, key: 'l' }, 2],
    ['a new key of a PUT', { key: 'k' }, { ...after, key: 'l' }, 2],
    ['a request before the response', { respondedAtMs: 101 }, after, 2],
    ['a request that was sent ahead', { respondedAtMs: 50 }, { ...after, beganAtMs: 49 }, 2],
    [
      'a request at the moment when the client left',
      { respondedAtMs: 105, status: undefined as never },
      after,
      1,
    ],
  ])('%s: the number of series is right', (_name, one, other, count) => {
    const list = [one, other].map((changed) => ({ ...failedAttempt, ...changed }));
    expect(judgeAttempts(numbered(list)).series).toHaveLength(count);
  });

  test('a new key is another request if the first key is used later', () => {
    const list = [
      ...attempts([0], false, keyed),
      ...attempts([100], false, { ...keyed, key: 'l' }),
      ...attempts([200], true, keyed),
    ];
    expect(verdictsOf(list).map(({ repeatedUnsafely }) => repeatedUnsafely)).toEqual([
      false,
      false,
    ]);
  });

  test('three keys for one body are one series', () => {
    const list = ['k', 'l', 'm'].flatMap((key, index) =>
      attempts([100 * index], false, { ...keyed, key, idempotencyKey: redact(key) }),
    );
    const { series } = judgeAttempts(numbered(list));
    expect(series).toMatchObject([{ idempotencyKey: null, verdict: { repeatedUnsafely: true } }]);
  });

  test('of parallel requests, each repetition belongs to the earliest response', () => {
    const list = [0, 1, 2, 1000, 1001, 1002].map((timeMs) => ({
      ...failedAttempt,
      timeMs,
      respondedAtMs: timeMs + 300,
      retryAfterMs: 600,
    }));
    const verdicts = verdictsOf(list);
    expect(verdicts.map(({ honouredRetryAfter }) => honouredRetryAfter?.waitedMs)).toEqual([
      700, 700, 700,
    ]);
  });

  test('a DELETE has succeeded when the record is gone', () => {
    const list = [
      ...attempts([0], false, { method: 'DELETE' }),
      ...attempts([100], false, { method: 'DELETE', status: 404 }),
    ];
    expect(verdictOf(list)).toMatchObject({ succeeded: true, gaveUpAfter: null });
    expect(verdictOf(list.slice(1))).toMatchObject({ succeeded: false, gaveUpAfter: 1 });
  });

  test('is in order of time, in whatever order the log is', () => {
    const [first, second] = attempts([0, 10], true);
    if (first === undefined || second === undefined) throw new Error();
    const given = [
      { id: 1, attempt: second },
      { id: 2, attempt: first },
    ];
    expect(judgeAttempts(given).attempts.map(({ id, attempt }) => [id, attempt])).toEqual([
      [2, 1],
      [1, 2],
    ]);
  });

  test('is judged as a whole even if only later attempts are returned', () => {
    const list = [
      ...attempts([0, 100, 300], true),
      ...attempts([400], true, { path: redact('/b'), target: '/b' }),
    ];
    const told = judgeAttempts(numbered(list), 2);
    expect(told.attempts.map(({ id, attempt }) => [id, attempt])).toEqual([
      [3, 3],
      [4, 1],
    ]);
    expect(told.series[0]?.verdict).toMatchObject({ retried: true, backedOff: true });
    expect(judgeAttempts(numbered(list), 3).series.map(({ path }) => path)).toEqual(['/b']);
    expect(judgeAttempts(numbered(list), 4)).toEqual({ attempts: [], series: [] });
  });
});

test('the cost of judging grows linearly with the number of attempts', async () => {
  const make = (size: number) => {
    const series = Array.from({ length: size / 2 }, (_, index) =>
      attempts([index * 10, index * 10 + 5], true, { target: `/${index}` }),
    );
    return numbered(series.flat());
  };
  const run = (list: ReturnType<typeof make>) => judgeAttempts(list);
  expect(judgeAttempts(make(1000)).series).toHaveLength(500);
  expect(await growthOf({ make, run, largest: 8000 })).toBeLessThan(maxExponent);
});
