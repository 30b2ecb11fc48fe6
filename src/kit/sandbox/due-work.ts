/**
 * Work that sandboxes have put off until a time of their clocks. Who reads what it may have changed lets it be
 * done first, so that nobody can see that nobody looked before.
 */

import { type Awaitable, whenKnown } from '../../base/awaitable.js';
import type { Sandbox } from '../../state/state.js';

export interface DeferredWork {
  /** Whether anything of the sandbox is due by now. */
  readonly isDue: (sandbox: Sandbox) => Awaitable<boolean>;
  /** Does what is due; what several do at once is done once. */
  readonly carryOut: (sandbox: Sandbox) => Promise<void>;
}

export class DueWork {
  /** There is none until an area brings it. */
  #work: DeferredWork | undefined;

  bring(work: DeferredWork): void {
    this.#work = work;
  }

  /** Reads when nothing is due any more. In a shared store `read` begins at once, and may be run again. */
  before<Value>(sandbox: Sandbox, read: () => Awaitable<Value>): Awaitable<Value> {
    const work = this.#work;
    if (work === undefined) return read();
    const isDue = work.isDue(sandbox);
    if (isDue === false) return read();
    if (isDue === true) return work.carryOut(sandbox).then(read);
    const early = read();
    // It may be of no use, and its failure of no interest.
    if (early instanceof Promise) early.catch(() => {});
    return isDue.then((isAnyDue) => (isAnyDue ? work.carryOut(sandbox).then(read) : early));
  }

  /** Does what is due. */
  settle(sandbox: Sandbox): Awaitable<void> {
    const work = this.#work;
    if (work === undefined) return undefined;
    return whenKnown(work.isDue(sandbox), (isDue) => (isDue ? work.carryOut(sandbox) : undefined));
  }
}
