import { expect, test } from 'vitest';
import { changeHunt, newHunt, pointsOf, replaceHunt } from '#defects/hunts-in-state.js';
import { createMemoryState } from '#state/memory/memory-state.js';
import { classHunts, huntsOf } from './class-hunts.js';

const nowMs = Date.UTC(2026, 0, 1);
const sandboxOf = (name: string) => createMemoryState({ clock: () => nowMs }).sandbox(name);
const always = () => true;

test('lists the hunts of a sandbox, and their wrong reports', async () => {
  const sandbox = sandboxOf('a');
  expect(await huntsOf(sandbox)).toEqual({ wrongReports: 0, hunts: [] });
  const first = { ...newHunt('senior', ['companies-unknown-is-200', 'movies-deletion-lost']) };
  await replaceHunt(sandbox, first, always);
  await changeHunt(sandbox, (hunt) => ({
    value: hunt && { ...hunt, found: ['movies-deletion-lost'], wrongReports: 1 },
    result: undefined,
  }));
  const summary = { id: first.id, level: 'senior', count: 2, found: 1, points: 1 };
  expect(await huntsOf(sandbox)).toEqual({ wrongReports: 1, hunts: [summary] });
  const second = newHunt('none', []);
  await replaceHunt(sandbox, second, always);
  expect(await huntsOf(sandbox)).toEqual({
    wrongReports: 1,
    hunts: [
      { ...summary, endedAt: '2026-01-01T00:00:00.000Z' },
      { id: second.id, level: 'none', count: 0, found: 0, points: 0 },
    ],
  });
});

test('remembers 20 hunts that have ended, and the wrong reports of all', async () => {
  const sandbox = sandboxOf('b');
  const ids: string[] = [];
  for (let count = 0; count < 22; count++) {
    const hunt = { ...newHunt('none', []), wrongReports: 1 };
    ids.push(hunt.id);
    await replaceHunt(sandbox, hunt, always);
  }
  const { wrongReports, hunts } = await huntsOf(sandbox);
  expect(wrongReports).toBe(22);
  expect(hunts.map(({ id }) => id)).toEqual(ids.slice(1));
});

test('the hunt of a class ends only by the class', async () => {
  const sandbox = sandboxOf('c');
  const hunt = { id: 'h', level: 'junior', count: 3, seed: 1, secret: 's' };
  await classHunts.begin(sandbox, hunt);
  const { isDone } = await replaceHunt(sandbox, undefined, ({ isOfClass }) => !isOfClass);
  expect(isDone).toBe(false);
  expect((await huntsOf(sandbox)).hunts).toMatchObject([{ id: 'h', count: 3 }]);
  await classHunts.end(sandbox);
  expect((await huntsOf(sandbox)).hunts).toMatchObject([{ id: 'h', endedAt: expect.any(String) }]);
  const own = newHunt('none', []);
  await replaceHunt(sandbox, own, always);
  await classHunts.end(sandbox);
  expect((await huntsOf(sandbox)).hunts[1]).not.toHaveProperty('endedAt');
});

test('the secret of a class chooses its bugs', () => {
  const hunt = { id: 'h', level: 'senior', count: 10, seed: 1, secret: 's' };
  const idsOf = (given: typeof hunt) => classHunts.bugsOf(given).map(({ id }) => id);
  expect(idsOf({ ...hunt, id: 'i' })).toEqual(idsOf(hunt));
  expect(idsOf({ ...hunt, secret: 't' })).not.toEqual(idsOf(hunt));
  expect(idsOf({ ...hunt, seed: 2 })).not.toEqual(idsOf(hunt));
});

test.each([
  [[], 0, 0],
  [['companies-unknown-is-200'], 0, 1],
  [['companies-unknown-is-200', 'orders-cached-by-proxies'], 0, 3],
  [['session-survives-logout'], 2, 1],
  [['session-survives-logout'], 3, 0],
  [['session-survives-logout'], 4, 0],
  [['a-bug-of-another-version'], 0, 0],
])('%j with %i wrong reports have %i points', (found, wrongReports, points) => {
  expect(pointsOf({ found, wrongReports })).toBe(points);
});
