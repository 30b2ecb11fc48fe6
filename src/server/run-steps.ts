/** Runs work that pauses between its pieces: a generator that yields after each. */

import { turns } from './work-in-turns.js';

export type Steps<Result> = Generator<void, Result>;

/** Runs all of it at once. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as Result;
  }
}

/** How long pieces run before other requests get their turn. */
const pieceMs = 5;

/** Runs it piece by piece, with other requests in between. */
export async function runInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  await turns.whenFree();
  for (;;) {
    const endMs = performance.now() + pieceMs;
    do {
      const { done, value } = steps.next();
      if (done) return value as Result;
    } while (performance.now() < endMs);
    await turns.next();
  }
}
