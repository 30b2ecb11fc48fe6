/**
 * Wakes up when a job of a sandbox is due, so that its work is done without a request. There is at most one timer for a
 * sandbox, and so many in all: beyond that, and where the clock of a sandbox is moved, the next request does the work.
 */

import type { Sandbox } from '../../../state/state.js';

const maxTimers = 1_000;
const maxDelayMs = 60 * 60 * 1000;

export class JobTimers {
  readonly #timers = new Map<
    string,
    { readonly dueMs: number; readonly timeout: NodeJS.Timeout }
  >();
  readonly #carryOut: (sandbox: Sandbox) => Promise<number | undefined>;
  #isClosed = false;

  /** `carryOut` does what is due and says when there is more, by the sandbox's clock. */
  constructor(carryOut: (sandbox: Sandbox) => Promise<number | undefined>) {
    this.#carryOut = carryOut;
  }

  /** Sees to what is due at that time of the sandbox, which is `nowMs` now. */
  set(sandbox: Sandbox, dueMs: number, nowMs: number): void {
    const timer = this.#timers.get(sandbox.name);
    if (this.#isClosed || (timer !== undefined && timer.dueMs <= dueMs)) return;
    if (timer === undefined && this.#timers.size >= maxTimers) return;
    clearTimeout(timer?.timeout);
    const delayMs = Math.max(0, Math.min(dueMs - nowMs, maxDelayMs));
    const timeout = setTimeout(() => void this.#wake(sandbox), delayMs);
    timeout.unref();
    this.#timers.set(sandbox.name, { dueMs, timeout });
  }

  close(): void {
    this.#isClosed = true;
    for (const { timeout } of this.#timers.values()) clearTimeout(timeout);
    this.#timers.clear();
  }

  async #wake(sandbox: Sandbox): Promise<void> {
    this.#timers.delete(sandbox.name);
    try {
      const dueMs = await this.#carryOut(sandbox);
      if (dueMs !== undefined) this.set(sandbox, dueMs, await sandbox.now());
    } catch {
      // The state is away; a request after it is back has the work done.
    }
  }
}
