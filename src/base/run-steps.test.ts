import { expect, test } from 'vitest';
import { runInTurns } from './run-steps.js';

test('runs all steps, and resolves with the result', async () => {
  const taken: number[] = [];
  function* count() {
    for (let step = 1; step <= 3; step++) {
      taken.push(step);
      yield;
    }
    return 'done';
  }
  expect(await runInTurns(count())).toBe('done');
  expect(taken).toEqual([1, 2, 3]);
});

test('rejects when a step throws', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first yield
  function* fail(): Generator<undefined, never, undefined> {
    throw new Error('impossible');
  }
  await expect(runInTurns(fail())).rejects.toThrow('impossible');
});

test('lets other work run in between, however many steps there are', async () => {
  let isOtherDone = false;
  setImmediate(() => {
    isOtherDone = true;
  });
  function* untilOther() {
    // Endless steps would hang here if they all ran at once.
    while (!isOtherDone) yield;
    return 'done';
  }
  expect(await runInTurns(untilOther())).toBe('done');
});
