/** A sandbox in a Redis or Valkey server; sandbox.lua describes the stored data. */

import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { BaseSandbox } from '../base-sandbox.js';
import { noEntries } from '../live-entries.js';
import type { LogSpace, Moment, Sandbox, SandboxStatus, Space, Transaction } from '../state.js';
import { RedisLog } from './redis-log.js';
import type { RedisStore, Seen } from './redis-store.js';
import type { Transactions } from './transactions.js';

interface Shared {
  readonly store: RedisStore;
  readonly transactions: Transactions;
}

export class RedisSandbox extends BaseSandbox implements Sandbox {
  readonly #store: RedisStore;
  readonly #transactions: Transactions;
  readonly #moment: Moment | undefined;

  constructor(
    name: string,
    { store, transactions }: Shared,
    caller?: () => string,
    moment?: Moment,
  ) {
    super(name, caller);
    this.#store = store;
    this.#transactions = transactions;
    this.#moment = moment;
  }

  // Every request runs this code, and async functions would create three more promises each.

  now(): Awaitable<number> {
    return whenKnown(this.#look(), (seen) => this.#timeAt(seen));
  }

  status(): Promise<SandboxStatus | undefined> {
    return this.#store.check(this.name, this.#moment).then(({ createdAtMs, offsetMs }) => {
      if (createdAtMs === undefined) return undefined;
      const lastUsedAtMs = this.#store.clock();
      return { createdAtMs, lastUsedAtMs, clockOffsetMs: Number(offsetMs) };
    });
  }

  read<Value>(space: Space<Value>, key: string): Awaitable<Value | undefined> {
    return whenKnown(this.#look(space), (seen) => this.#readIn(seen, space, key));
  }

  #readIn<Value>(seen: Seen, space: Space<Value>, key: string): Awaitable<Value | undefined> {
    const view = this.#store.view(this.name, space, seen);
    if (view === undefined) return undefined;
    return whenKnown(this.#store.row(this.name, space, key, view), ({ expiresAtMs, value }) =>
      this.#timeAt(seen) < expiresAtMs ? (value as Value) : undefined,
    );
  }

  async entries<Value>(space: Space<Value>): Promise<readonly (readonly [string, Value])[]> {
    const seen = await this.#look(space);
    const view = this.#store.view(this.name, space, seen);
    if (view === undefined) return noEntries;
    const rows = await this.#store.rows(this.name, space, view);
    const entries = this.#store.known.list(view, rows, this.#timeAt(seen));
    return entries as readonly (readonly [string, Value])[];
  }

  transact<Result>(change: (view: Transaction) => Result): Promise<Result> {
    const result = this.#transactions.run(this.name, () => this.caller(), change);
    return result.finally(() => this.#store.forgetSeenBy(this.#moment, this.name));
  }

  log<Item>(space: LogSpace<unknown, Item>, key: string): RedisLog<Item> {
    // A log can be read again after a wait.
    const isThere = async () => {
      const seen = await this.#store.check(this.name, this.#moment);
      return (await this.#readIn(seen, space, key)) !== undefined;
    };
    return new RedisLog<Item>(this.#store, this.name, space, key, isThere);
  }

  async setClockOffset(offsetMs: number): Promise<void> {
    const words = [String(offsetMs)];
    await this.#store.askWithRoom(this.name, 'setOffset', words, () => this.caller());
    this.#store.forgetSeen();
  }

  async reset(kept: readonly Space<unknown>[] = []): Promise<void> {
    await this.#reset(kept);
    this.#store.forgetSeen();
  }

  async #reset(kept: readonly Space<unknown>[]): Promise<void> {
    if (kept.length > 0) {
      const names = kept.map(({ name }) => name);
      const [outcome] = await this.#store.ask(this.name, ['reset', String(names.length), ...names]);
      if (outcome === 'written') return;
    }
    await this.#store.registry.forget(this.name);
  }

  #look(space?: Space<unknown>): Awaitable<Seen> {
    return this.#store.look(this.name, this.#moment, space);
  }

  #timeAt({ offsetMs }: Seen): number {
    return this.#store.clock() + Number(offsetMs);
  }
}
