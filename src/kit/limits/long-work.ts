/**
 * Schedules work that blocks the event loop for tens of milliseconds, such as parsing 1 MiB of
 * JSON. Callers take turns, and while others wait, a pause of the same length follows, for
 * connections and small requests.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Awaitable } from '#base/awaitable.js';
import { FairQueue } from '#base/shares/fair-queue.js';
import { ownerOf } from '#http/address/owner.js';
import type { Request } from '#http/exchange.js';

const queue = new FairQueue(Number.POSITIVE_INFINITY, () => new Error('Too much work is waiting.'));

/** Shorter work is followed directly by the next turn of the event loop. */
const minPauseMs = 5;

/** Begins at once if nothing waits. The long part of `work` must not follow an `await`. */
export function doLongWork<Result>(
  request: Request,
  work: () => Awaitable<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    void queue.run(ownerOf(request), async () => {
      const startedAt = performance.now();
      try {
        resolve(work());
      } catch (error) {
        reject(error as Error);
      }
      const tookMs = performance.now() - startedAt;
      await (tookMs < minPauseMs ? nextTurn() : sleep(tookMs));
    });
  });
}
