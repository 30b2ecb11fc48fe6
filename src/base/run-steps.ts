/** Runs work in pieces: a generator that yields after each. */

import type { Awaitable } from './awaitable.js';
import { turns } from './work-in-turns.js';

export type Steps<Result> = Generator<void, Result>;

export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as Result;
  }
}

/** Time until other requests get their turn. */
const pieceMs = 5;

/** Runs the steps piece by piece, with other requests in between. */
export async function runInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  await turns.whenFree();
  return runSoon(steps);
}

/** Runs the first pieces at once, so that short work needs no promise, and the others in turns. */
export function runSoon<Result>(steps: Steps<Result>): Awaitable<Result> {
  const step = runPieces(steps);
  return step.done === true ? step.value : finishInTurns(steps);
}

async function finishInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    await turns.next();
    const step = runPieces(steps);
    if (step.done === true) return step.value;
  }
}

function runPieces<Result>(steps: Steps<Result>): IteratorResult<void, Result> {
  const endMs = performance.now() + pieceMs;
  let step = steps.next();
  while (step.done !== true && performance.now() < endMs) step = steps.next();
  return step;
}
