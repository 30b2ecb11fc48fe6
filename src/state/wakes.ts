/** Callers of this process that wait for a change of a log. */

import type { Awaitable } from '#base/awaitable.js';
import type { LogSpace, LogStatus } from './state.js';

/** No timeout: only a wake ends the wait. */
export const forever = Number.POSITIVE_INFINITY;

export const emptyLog: LogStatus = { size: 0, lastSequence: 0, clearedSequence: 0 };

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
    for (const wake of [...(this.#waiting.get(id) ?? [])]) wake();
  }

  wakeAll(): void {
    for (const id of [...this.#waiting.keys()]) this.wake(id);
  }

  close(): void {
    this.#isClosed = true;
    this.wakeAll();
  }

  /**
   * Resolves once `look` returns true, `signal` is aborted or this is closed. `look` is called now,
   * at each wake, and after the number of milliseconds that it returns.
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
        // Before it looks, so that no wake in between is lost.
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
