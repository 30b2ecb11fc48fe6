/** Who waits in this process for something to happen to a log. */

import type { Awaitable } from '../base/awaitable.js';
import type { LogSpace, LogStatus } from './state.js';

/** Until it is woken. */
export const forever = Number.POSITIVE_INFINITY;

export const emptyLog: LogStatus = { size: 0, lastSequence: 0, clearedSequence: 0 };

/** Whether who waits for a log to go beyond a sequence has waited long enough. */
export function isPast(
  { isAlwaysThere }: LogSpace<unknown, unknown>,
  status: LogStatus | undefined,
  sequence: number,
): boolean {
  if (status === undefined) return true;
  const { lastSequence } = status;
  return isAlwaysThere ? lastSequence !== sequence : lastSequence > sequence;
}

export class Wakes {
  readonly #waiting = new Map<string, Set<() => void>>();
  #isClosed = false;

  wake(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    for (const wake of [...waiting]) wake();
  }

  /** For all of them. */
  wakeAll(): void {
    for (const id of [...this.#waiting.keys()]) this.wake(id);
  }

  close(): void {
    this.#isClosed = true;
    this.wakeAll();
  }

  /**
   * Resolves once `look` says `true`, which it is asked now, whenever something may have happened, and after
   * as many milliseconds as it says; or when `signal` is aborted, or this is closed.
   */
  async waitUntil(
    id: string,
    look: () => Awaitable<true | number>,
    signal: AbortSignal,
  ): Promise<void> {
    let wake: () => void = () => {};
    const onWake = () => wake();
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(onWake));
    signal.addEventListener('abort', onWake);
    try {
      while (!signal.aborted && !this.#isClosed) {
        // Heard from before it is looked, so that nothing can happen unnoticed in between.
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const seen = await look();
        if (seen === true) return;
        const timer = seen === forever ? undefined : setTimeout(onWake, seen);
        await woken;
        clearTimeout(timer);
      }
    } finally {
      waiting.delete(onWake);
      if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
      signal.removeEventListener('abort', onWake);
    }
  }
}
