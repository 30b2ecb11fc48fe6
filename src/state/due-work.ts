/** Runs deferred work of sandboxes, by their clocks, before its outcome is read. */

import { type Awaitable, whenKnown } from '#base/awaitable.js';
import type { Sandbox } from './state.js';

export interface DeferredWork {
  readonly isDue: (sandbox: Sandbox) => Awaitable<boolean>;
  /** Runs due work, once for simultaneous calls. */
  readonly carryOut: (sandbox: Sandbox) => Promise<void>;
}

export class DueWork {
  #work: DeferredWork | undefined;

  bring(work: DeferredWork): void {
    this.#work = work;
  }

  /**
   * Reads after due work has run. With a shared store, `read` begins at once, and may run again.
   */
  before<Value>(sandbox: Sandbox, read: () => Awaitable<Value>): Awaitable<Value> {
    const work = this.#work;
    if (work === undefined) return read();
    const isDue = work.isDue(sandbox);
    if (isDue === false) return read();
    if (isDue === true) return work.carryOut(sandbox).then(read);
    const early = read();
    // The early read may not be needed, so its failure is ignored.
    if (early instanceof Promise) early.catch(() => {});
    return isDue.then((isAnyDue) => (isAnyDue ? work.carryOut(sandbox).then(read) : early));
  }

  settle(sandbox: Sandbox): Awaitable<void> {
    const work = this.#work;
    if (work === undefined) return undefined;
    return whenKnown(work.isDue(sandbox), (isDue) => (isDue ? work.carryOut(sandbox) : undefined));
  }
}
