/** Numbers down to 0, at an interval. */

import { setTimeout as sleep } from 'node:timers/promises';

/** Ends early when `signal` is aborted. */
export async function* countDown(
  from: number,
  intervalMs: number,
  signal: AbortSignal,
): AsyncGenerator<number> {
  for (let number = from; number >= 0 && !signal.aborted; number--) {
    yield number;
    if (number === 0 || intervalMs === 0) continue;
    // An abort is no failure here.
    await sleep(intervalMs, undefined, { signal }).catch(() => {});
  }
}
