import { describe, expect, test } from 'vitest';
import { failedAttempt } from '../../../test/support/attempt.js';
import { growthOf, maxExponent } from '../../../test/support/growth.js';
import { redact } from '../../base/text/redact.js';
import type { Attempt } from './attempts.js';
import { judgeAttempts, type NumberedAttempt } from './judge-attempts.js';

/** Returns attempts at these times, each with an immediate response; the last may succeed. */
function attempts(times: readonly number[], isSuccess: boolean, changed: Partial<Attempt> = {}) {
  return times.map((timeMs, index) => ({
    ...failedAttempt,
    timeMs,
    respondedAtMs: timeMs,
    isSuccess: isSuccess && index === times.length - 1,
    ...changed,
  }));
}

function numbered(list: readonly Attempt[]): NumberedAttempt[] {
  return list.map((attempt, index) => ({ id: index + 1, attempt }));
}

const verdictsOf = (list: readonly Attempt[]) =>
  judgeAttempts(numbered(list)).series.map(({ verdict }) => verdict);
const verdictOf = (list: readonly Attempt[]) => verdictsOf(list)[0];

const post = { method: 'POST', body: 'x' };

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
  ['gaps that grow by less', attempts([0, 100, 219], true), { backedOff: false }],
  ['gaps that stay', attempts([0, 100, 200, 300], true), { backedOff: false }],
  [
    'gaps of a request that is repeated at once',
    attempts([0, 1, 3, 7], true),
    { backedOff: false },
  ],
  ['a retry at once and then waits', attempts([0, 1, 101, 301], true), { backedOff: true }],
  ['gaps of which one shrinks', attempts([0, 100, 300, 400], true), { backedOff: false }],
  ['a GET repeated', attempts([0, 1], true), { repeatedUnsafely: false }],
  ['a PUT repeated', attempts([0, 1], true, { method: 'PUT' }), { repeatedUnsafely: false }],
  ['a POST sent once', attempts([0], true, post), { repeatedUnsafely: false }],
  ['a POST repeated', attempts([0, 1], true, post), { repeatedUnsafely: true }],
  ['a PATCH repeated', attempts([0, 1], true, { method: 'PATCH' }), { repeatedUnsafely: true }],
  [
    'a POST repeated with a key',
    attempts([0, 1], true, { ...post, idempotencyKey: redact('k') }),
    { repeatedUnsafely: false, retried: true },
  ],
  ['no bodies', attempts([0, 1], true), { sameBody: null }],
  ['the same body', attempts([0, 1], true, post), { sameBody: true }],
  ['one body', attempts([0], true, post), { sameBody: null }],
  [
    'another body',
    [...attempts([0], false, post), ...attempts([1], true, { ...post, body: 'y' })],
    { sameBody: false },
  ],
  [
    'a body that is left out',
    [...attempts([0], false, post), ...attempts([1], true, { ...post, body: '' })],
    { sameBody: false },
  ],
  [
    'a body that was not seen whole',
    [...attempts([0], false, post), ...attempts([1], true, { ...post, body: null })],
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
      [...attempts([0], false, asked), ...attempts([999], true)],
      { honoured: false, askedMs: 1000, waitedMs: 999 },
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
  test.each<[string, readonly (readonly number[])[], readonly (boolean | null)[]]>([
    ['of one series cannot be told', [[0, 100]], [null]],
    ['of series without gaps cannot be told', [[0], [50]], [null, null]],
    [
      'is not there when gaps are alike',
      [
        [0, 100],
        [500, 604],
      ],
      [false, false],
    ],
    [
      'is there when they differ',
      [
        [0, 100],
        [500, 606],
      ],
      [true, true],
    ],
    [
      'is there for a series between two that differ',
      [
        [0, 1000],
        [2000, 3040],
        [4000, 5080],
      ],
      [true, true, true],
    ],
    [
      'is not there when requests are repeated at once',
      [
        [0, 1],
        [10, 14],
      ],
      [false, false],
    ],
    ['of a series alone at its place cannot be told', [[0], [50, 70]], [null, null]],
    [
      'is not there for one gap in three that differs',
      [
        [0, 100, 300, 700],
        [1000, 1120, 1320, 1720],
      ],
      [false, false],
    ],
  ])('%s', (_name, series, expected) => {
    const list = series.flatMap((times, index) =>
      attempts(times, true, { path: redact(`/${index}`) }),
    );
    expect(verdictsOf(list).map(({ jittered }) => jittered)).toEqual(expected);
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

  test.each([
    ['method', { method: 'PUT' }],
    ['path', { path: redact('/b') }],
    ['idempotency key', { idempotencyKey: redact('k') }],
    ['path or key as sent', { sentAs: 'x' }],
  ])('is of one %s', (_name, changed) => {
    const list = [...attempts([0], false), ...attempts([1], false, changed)];
    expect(judgeAttempts(numbered(list)).series).toHaveLength(2);
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
      ...attempts([400], true, { path: redact('/b') }),
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
      attempts([index * 10, index * 10 + 5], true, { path: redact(`/${index}`) }),
    );
    return numbered(series.flat());
  };
  const run = (list: ReturnType<typeof make>) => judgeAttempts(list);
  expect(judgeAttempts(make(1000)).series).toHaveLength(500);
  expect(await growthOf({ make, run, largest: 8000 })).toBeLessThan(maxExponent);
});
