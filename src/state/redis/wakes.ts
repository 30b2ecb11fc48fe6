/** Who waits in this process for something to happen to a log. */

export class Wakes {
  readonly #waiting = new Map<string, Set<() => void>>();
  #isClosed = false;

  /** Once it is closed nobody waits. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Calls `wake` whenever something may have happened to the log, until what is returned is called. */
  add(logKey: string, wake: () => void): () => void {
    const waiting = this.#waiting.get(logKey) ?? new Set();
    this.#waiting.set(logKey, waiting.add(wake));
    return () => {
      waiting.delete(wake);
      if (waiting.size === 0 && this.#waiting.get(logKey) === waiting) this.#waiting.delete(logKey);
    };
  }

  wake(logKey: string): void {
    for (const wake of [...(this.#waiting.get(logKey) ?? [])]) wake();
  }

  /** For all of them. */
  wakeAll(): void {
    for (const logKey of [...this.#waiting.keys()]) this.wake(logKey);
  }

  close(): void {
    this.#isClosed = true;
    this.wakeAll();
  }
}
