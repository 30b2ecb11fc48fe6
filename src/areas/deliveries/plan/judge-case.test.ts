import { expect, test } from 'vitest';
import {
  type JudgeCase,
  mustAccept,
  mustBeFast,
  mustKeepOrder,
  mustNotFail,
  mustNotRedirect,
  mustReject,
  mustWorkOnce,
  type Seen,
  type Written,
} from './judge-case.js';

const seen = (statuses: readonly (number | null)[], more: Partial<Seen> = {}): Seen => ({
  ...{ level: 'must', written: [], acceptsValid: true },
  responses: statuses.map((status) => ({ status, ms: 10 })),
  ...more,
});
const record = (part: number, more: Partial<Written> = {}): Written => ({
  ...{ part, isCreated: true, object: `received/${part}` },
  ...more,
});
const once = { written: [record(0)] };
const twice = { written: [record(0), record(0, { object: 'received/9' })] };
const updated = record(1, { isCreated: false, object: 'received/0' });

test.each<[string, JudgeCase, Seen, string]>([
  ['accepts with 200', mustAccept, seen([200]), 'kept'],
  ['accepts with 299', mustAccept, seen([299]), 'kept'],
  ['rejects a right delivery', mustAccept, seen([400]), 'broken'],
  ['fails', mustAccept, seen([500]), 'broken'],
  ['fails, against a should', mustAccept, seen([500], { level: 'should' }), 'against-advice'],
  ['is busy', mustAccept, seen([503]), 'unclear'],
  ['is asked too often', mustAccept, seen([429]), 'unclear'],
  ['does not respond', mustAccept, seen([null]), 'unclear'],
  ['gets no delivery', mustAccept, seen([]), 'unclear'],
  ['accepts a wrong delivery', mustReject, seen([204]), 'broken'],
  ['rejects it', mustReject, seen([401]), 'kept'],
  ['rejects everything', mustReject, seen([401], { acceptsValid: false }), 'unclear'],
  [
    'rejects it, with nothing to compare',
    mustReject,
    seen([401], { acceptsValid: undefined }),
    'unclear',
  ],
  ['fails at it', mustReject, seen([500]), 'against-advice'],
  ['redirects instead of a rejection', mustReject, seen([302]), 'against-advice'],
  ['reads gzip', mustNotFail([415]), seen([200]), 'kept'],
  ['rejects gzip', mustNotFail([415]), seen([415]), 'kept'],
  ['fails at gzip', mustNotFail([415]), seen([500]), 'against-advice'],
  ['redirects', mustNotRedirect, seen([301]), 'broken'],
  ['does not redirect', mustNotRedirect, seen([404]), 'kept'],
  ['is fast', mustBeFast(11), seen([202], { level: 'should' }), 'kept'],
  ['works first', mustBeFast(10), seen([202], { level: 'should' }), 'against-advice'],
  ['is fast with an error', mustBeFast(11), seen([500]), 'unclear'],
  ['works once', mustWorkOnce, seen([200, 200], once), 'kept'],
  ['works twice', mustWorkOnce, seen([200, 200], twice), 'broken'],
  ['works twice, and fails', mustWorkOnce, seen([200, 500], twice), 'broken'],
  ['works once, and rejects the second', mustWorkOnce, seen([200, 409], once), 'against-advice'],
  ['writes no record', mustWorkOnce, seen([200, 200]), 'unclear'],
  ['changes its record', mustWorkOnce, seen([200, 200], { written: [record(0), updated] }), 'kept'],
  ['does not respond again', mustWorkOnce, seen([200, null], once), 'unclear'],
  ['keeps the newer version', mustKeepOrder, seen([200, 200], once), 'kept'],
  ['writes both', mustKeepOrder, seen([200, 200], { written: [record(0), record(1)] }), 'unclear'],
  ['writes nothing', mustKeepOrder, seen([200, 200]), 'unclear'],
  [
    'replaces the newer version',
    mustKeepOrder,
    seen([200, 200], { level: 'advice', written: [record(0), updated] }),
    'against-advice',
  ],
  [
    'corrects itself',
    mustKeepOrder,
    seen([200, 200], { written: [record(0), updated, record(0, { isCreated: false })] }),
    'unclear',
  ],
  ['rejects the older version', mustKeepOrder, seen([200, 409], once), 'against-advice'],
])('a receiver that %s', (_does, judge, what, outcome) => {
  expect(judge(what).outcome).toBe(outcome);
});

test('what only records would show has the observation that decides it', () => {
  expect(mustWorkOnce(seen([200, 200])).decidedBy).toContain('A record for each event');
  expect(mustAccept(seen([null])).says).toBe('no response');
  const response = { status: null, ms: 1, error: 'timeout' };
  expect(mustAccept({ ...seen([]), responses: [response] }).says).toBe('timeout');
});
