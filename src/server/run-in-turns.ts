/** Long work in slices, between which other requests are served. */

import type { Awaitable } from '../state/state.js';
import { turns } from './work-in-turns.js';

/** Work that takes less is done at once, without a promise. */
const atOnceMs = 4;

/** How long each later slice takes. */
const sliceMs = 1;

/**
 * Runs work to its end, and returns what it returns. The work yields often: after each step that could take more than
 * some microseconds.
 */
export function runInTurns<Result>(work: Generator<void, Result>): Awaitable<Result> {
  const step = runFor(atOnceMs, work);
  return step.done === true ? step.value : finishInTurns(work);
}

async function finishInTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    await turns.next();
    const step = runFor(sliceMs, work);
    if (step.done === true) return step.value;
  }
}

function runFor<Result>(
  milliseconds: number,
  work: Generator<void, Result>,
): IteratorResult<void, Result> {
  const untilMs = performance.now() + milliseconds;
  let step = work.next();
  while (step.done !== true && performance.now() < untilMs) step = work.next();
  return step;
}
