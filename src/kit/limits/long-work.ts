/**
 * Work that blocks the event loop for tens of milliseconds, such as parsing 1 MiB of JSON. Each caller has its turn, and
 * while others wait, a pause of the same length follows, for connections and small requests.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Awaitable } from '../../base/awaitable.js';
import { FairQueue } from '../../base/shares/fair-queue.js';
import type { Request } from '../../http/exchange.js';
import { ownerOf } from '../owner.js';

const queue = new FairQueue(Number.POSITIVE_INFINITY, () => new Error('Too much work waits.'));

/** Shorter work is followed by the next turn of the event loop. */
const minPauseMs = 5;

/** Begins at once where nothing waits. The long part of `work` must not be behind an `await`. */
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
