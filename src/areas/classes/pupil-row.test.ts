import { expect, test } from 'vitest';
import type { PupilRecord } from './class-record.js';
import { mergeHunting, pupilViewer } from './pupil-row.js';

const hunt = (id: string, found = 0, endedAt?: string) => ({
  ...{ id, level: 'junior', count: 5, found, points: found * 10 },
  ...(endedAt && { endedAt }),
});

const end = '2030-01-01T00:00:00.000Z';

test('without a hunt, a row keeps nothing', () => {
  expect(mergeHunting(undefined, { wrongReports: 0, hunts: [] })).toBeUndefined();
});

test('a later state of a hunt replaces the earlier one', () => {
  const before = mergeHunting(undefined, { wrongReports: 1, hunts: [hunt('a', 1)] });
  const after = mergeHunting(before, { wrongReports: 3, hunts: [hunt('a', 2, end), hunt('b')] });
  expect(after).toEqual({
    hunts: [hunt('a', 2, end), hunt('b')],
    wrongReports: 3,
    earlierWrongReports: 0,
  });
  expect(mergeHunting(after, { wrongReports: 3, hunts: [hunt('b')] })).toEqual(after);
});

test('a reset of the sandbox erases neither hunts nor wrong reports', () => {
  const before = mergeHunting(undefined, { wrongReports: 4, hunts: [hunt('a', 1)] });
  const empty = mergeHunting(before, { wrongReports: 0, hunts: [] });
  expect(mergeHunting(empty, { wrongReports: 0, hunts: [] })).toEqual(empty);
  const after = mergeHunting(empty, { wrongReports: 2, hunts: [hunt('b')] });
  expect(viewOf({ hunting: after })).toMatchObject({
    wrongReports: 6,
    hunts: [hunt('a', 1), hunt('b')],
  });
});

test('of many hunts, the newest 20 remain', () => {
  const hunts = Array.from({ length: 25 }, (_, index) => hunt(`${index}`));
  const merged = mergeHunting(undefined, { wrongReports: 0, hunts });
  expect(merged?.hunts.map(({ id }) => id)).toEqual(hunts.slice(5).map(({ id }) => id));
});

test('a pupil of an older version has no label, and is shown with the number', () => {
  expect(viewOf({})).toMatchObject({ label: 'Ada (7)', wrongReports: 0, hunts: [] });
  expect(viewOf({ label: 'Ada' })).toMatchObject({ label: 'Ada' });
});

test('points of a challenge are never negative, and hints of others cost nothing', () => {
  const solved = { one: { atMs: 1000, order: 2 }, two: { atMs: 0, order: 1 } };
  expect(viewOf({ solved, hintCosts: { one: 12, two: 4, three: 8 } })).toMatchObject({
    points: 16,
    hintCost: 24,
    solved: [
      { id: 'two', at: '1970-01-01T00:00:00.000Z' },
      { id: 'one', at: '1970-01-01T00:00:01.000Z' },
    ],
  });
});

function viewOf(given: Partial<Record<keyof PupilRecord, unknown>>) {
  const record = {
    ...{ name: 'Ada', secret: '', joinedAtMs: 0, requests: 0, failures: 0 },
    ...{ solved: {}, hintCosts: {}, ...given },
  } as PupilRecord;
  const listed = { track: '', level: 1, title: '', goal: '' };
  const list = [
    { ...listed, id: 'one', points: 10 },
    { ...listed, id: 'two', points: 20 },
  ];
  const challenges = { list, progressOf: () => Promise.reject() };
  return pupilViewer({ challenges, clock: () => 1_000_000 })(['7', record]);
}
