/**
 * Work that blocks the event loop for tens of milliseconds and cannot be cut into pieces, such as parsing 1 MiB of JSON.
 * One piece is done at a time, for each caller in turn. While others wait, each is followed by a pause as long as
 * itself, in which the process accepts connections and serves small requests.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Awaitable } from '../../base/awaitable.js';
import { FairQueue } from '../../base/shares/fair-queue.js';
import type { Request } from '../../http/exchange.js';
import { ownerOf } from '../owner.js';

const queue = new FairQueue(Number.POSITIVE_INFINITY, () => new Error('Too much work waits.'));

/** Shorter work is followed by the next turn of the event loop. */
const minPauseMs = 5;

/**
 * Resolves or rejects as `work` does, which begins at once where nothing waits. Only what it does before it returns counts,
 * so it must not put a long part behind an `await`.
 */
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
