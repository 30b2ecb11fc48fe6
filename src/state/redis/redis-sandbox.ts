/** A sandbox in a Redis or Valkey server; sandbox.lua describes the stored data. */

import { whenKnown } from '#base/awaitable.js';
import { BaseSandbox } from '../base-sandbox.js';
import { noEntries } from '../live-entries.js';
import type { LogSpace, Sandbox, SandboxStatus, Space, Transaction } from '../state.js';
import { RedisLog } from './redis-log.js';
import type { RedisStore } from './redis-store.js';
import type { Transactions } from './transactions.js';

export class RedisSandbox extends BaseSandbox implements Sandbox {
  readonly #store: RedisStore;
  readonly #transactions: Transactions;

  constructor(
    name: string,
    { store, transactions }: { readonly store: RedisStore; readonly transactions: Transactions },
    caller?: () => string,
  ) {
    super(name, caller);
    this.#store = store;
    this.#transactions = transactions;
  }

  // Every request runs this code, and async functions would create three more promises each.

  now(): Promise<number> {
    return this.#store.check(this.name).then(({ offsetMs }) => this.#timeAt(offsetMs));
  }

  status(): Promise<SandboxStatus | undefined> {
    return this.#store.check(this.name).then(({ createdAtMs, offsetMs }) => {
      if (createdAtMs === undefined) return undefined;
      const lastUsedAtMs = this.#store.clock();
      return { createdAtMs, lastUsedAtMs, clockOffsetMs: Number(offsetMs) };
    });
  }

  read<Value>(space: Space<Value>, key: string): Promise<Value | undefined> {
    return this.#store.check(this.name, space).then(({ view, offsetMs }) => {
      if (view === undefined) return undefined;
      return whenKnown(this.#store.row(this.name, space, key, view), ({ expiresAtMs, value }) =>
        this.#timeAt(offsetMs) < expiresAtMs ? (value as Value) : undefined,
      );
    });
  }

  async entries<Value>(space: Space<Value>): Promise<readonly (readonly [string, Value])[]> {
    const { view, offsetMs } = await this.#store.check(this.name, space);
    if (view === undefined) return noEntries;
    const rows = await this.#store.rows(this.name, space, view);
    const entries = this.#store.known.list(view, rows, this.#timeAt(offsetMs));
    return entries as readonly (readonly [string, Value])[];
  }

  transact<Result>(change: (view: Transaction) => Result): Promise<Result> {
    return this.#transactions.run(this.name, () => this.caller(), change);
  }

  log<Item>(space: LogSpace<unknown, Item>, key: string): RedisLog<Item> {
    const isThere = async () => (await this.read(space, key)) !== undefined;
    return new RedisLog<Item>(this.#store, this.name, space, key, isThere);
  }

  async setClockOffset(offsetMs: number): Promise<void> {
    const words = [String(offsetMs)];
    await this.#store.askWithRoom(this.name, 'setOffset', words, () => this.caller());
  }

  async reset(kept: readonly Space<unknown>[] = []): Promise<void> {
    if (kept.length > 0) {
      const names = kept.map(({ name }) => name);
      const [outcome] = await this.#store.ask(this.name, ['reset', String(names.length), ...names]);
      if (outcome === 'written') return;
    }
    await this.#store.registry.forget(this.name);
  }

  #timeAt(offsetMs: string): number {
    return this.#store.clock() + Number(offsetMs);
  }
}
