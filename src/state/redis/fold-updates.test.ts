import { describe, expect, test, vi } from 'vitest';
import { CapacityError, type Change } from '../state.js';
import { type Entry, foldUpdates, type WaitingUpdate } from './fold-updates.js';

type CounterChange = (current: number | undefined, nowMs: number) => Change<number, unknown>;

const count: CounterChange = (current = 0) => ({ value: current + 1, result: current + 1 });
const remove: CounterChange = (current) => ({ value: undefined, result: current });
const keep: CounterChange = (current) => ({ value: current, result: current });
const fail: CounterChange = () => {
  throw new Error('no');
};
const endNow: CounterChange = (current = 0, nowMs) => ({
  value: current + 10,
  expiresAtMs: nowMs,
  result: 'ended',
});

const entry = (value: number, expiresAtMs = Number.POSITIVE_INFINITY): Entry => ({
  value,
  expiresAtMs,
});
const nowMs = 1000;

function fold(changes: CounterChange[], stored?: Entry, full?: CapacityError) {
  const settled: unknown[] = [];
  const updates = changes.map(
    (change, place): WaitingUpdate => ({
      change: change as WaitingUpdate['change'],
      resolve(result) {
        settled[place] = result;
      },
      reject(error) {
        settled[place] = error;
      },
    }),
  );
  const { outcome, isNew, settle } = foldUpdates(updates, stored, nowMs, full);
  expect(settled).toEqual([]);
  settle();
  return { outcome, isNew, settled };
}

describe('updates that wait for each other', () => {
  test.each<
    [string, CounterChange[], Entry | undefined, Entry | 'deleted' | undefined, boolean, unknown[]]
  >([
    ['build on each other', [count, count, count], entry(4), entry(7), false, [5, 6, 7]],
    ['make what was not there', [count, count], undefined, entry(2), true, [1, 2]],
    ['write nothing that stays', [keep, keep], entry(4), undefined, false, [4, 4]],
    ['delete', [count, remove], entry(4), 'deleted', false, [5, 5]],
    ['delete nothing', [count, remove], undefined, undefined, true, [1, 1]],
    ['begin anew after a deletion', [remove, count], entry(4), entry(1), true, [4, 1]],
    ['begin anew after the end', [count], entry(4, nowMs), entry(1), true, [1]],
    ['go on before the end', [count], entry(4, nowMs + 1), entry(5), false, [5]],
    [
      'begin anew when one ends it at once',
      [endNow, count],
      entry(4),
      entry(1),
      true,
      ['ended', 1],
    ],
    ['keep what an end leaves', [endNow], entry(4), entry(14, nowMs), false, ['ended']],
    ['fail alone', [count, fail, count], entry(4), entry(6), false, [5, new Error('no'), 6]],
    ['write nothing when all fail', [fail], entry(4), undefined, false, [new Error('no')]],
  ])('%s', (_name, changes, stored, outcome, isNew, settled) => {
    expect(fold(changes, stored)).toEqual({ outcome, isNew, settled });
  });

  test('an expiry that changes is written, though the value stays', () => {
    const ending: CounterChange = (value) => ({ value, expiresAtMs: 5000, result: null });
    expect(fold([ending], entry(4)).outcome).toEqual(entry(4, 5000));
  });

  test('none is added to a full space, and who is there goes on', () => {
    const refused = expect.any(CapacityError);
    expect(fold([count, keep, count], undefined, new CapacityError('No.'))).toEqual({
      outcome: undefined,
      isNew: false,
      settled: [refused, undefined, refused],
    });
    expect(fold([count, remove, count], entry(4), new CapacityError('No.'))).toEqual({
      outcome: 'deleted',
      isNew: false,
      settled: [5, 5, refused],
    });
  });

  test('each sees the time', () => {
    const change = vi.fn(keep);
    fold([change], entry(4));
    expect(change).toHaveBeenCalledWith(4, nowMs);
  });
});
