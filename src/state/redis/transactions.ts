/** Waiting transactions by sandbox: those that arrive during a write are written together. */

import { CapacityError, StateFullError, type Transaction } from '../state.js';
import { gather } from './batches.js';
import { commit, type WaitingTransaction } from './commit.js';
import type { RedisStore } from './redis-store.js';

const maxTogether = 100;

export class Transactions {
  readonly #store: RedisStore;
  readonly #waiting = new Map<string, WaitingTransaction[]>();

  constructor(store: RedisStore) {
    this.#store = store;
  }

  run<Result>(
    name: string,
    caller: () => string,
    change: (view: Transaction) => Result,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const transaction = { caller, change, resolve, reject } as WaitingTransaction;
      const queue = this.#waiting.get(name);
      if (queue !== undefined) {
        queue.push(transaction);
        return;
      }
      const first = [transaction];
      this.#waiting.set(name, first);
      void this.#workOff(name, first);
    });
  }

  async #workOff(name: string, queue: WaitingTransaction[]): Promise<void> {
    for (let before = 0; queue.length > 0; ) {
      await gather(before);
      const batch = queue.splice(0, maxTogether);
      before = batch.length;
      await this.#settle(name, batch);
    }
    this.#waiting.delete(name);
  }

  async #settle(name: string, batch: readonly WaitingTransaction[]): Promise<void> {
    try {
      await commit(this.#store, name, batch);
    } catch (error) {
      const isRejected = error instanceof CapacityError || error instanceof StateFullError;
      // Nothing was written then, and some may need less room. After other errors a write may have
      // happened, so it must not be repeated.
      if (isRejected && batch.length > 1)
        for (const each of batch) await this.#settle(name, [each]);
      else for (const { reject } of batch) reject(error);
    }
  }
}
