/** One sandbox in a Redis or Valkey server; see sandbox.lua for what is stored how. */

import { whenKnown } from '../../base/awaitable.js';
import { noEntries } from '../live-entries.js';
import { updateIn } from '../rows/overlay.js';
import {
  type Change,
  holderOf,
  type LogSpace,
  type Sandbox,
  type SandboxStatus,
  type Space,
  type Transaction,
} from '../state.js';
import { type WaitingTransaction, workOff } from './commit.js';
import { RedisLog } from './redis-log.js';
import type { RedisStore } from './redis-store.js';

export class RedisSandbox implements Sandbox {
  readonly name: string;
  readonly #store: RedisStore;
  readonly #caller: (() => string) | undefined;

  constructor(name: string, store: RedisStore, caller?: () => string) {
    this.name = name;
    this.#store = store;
    this.#caller = caller;
  }

  caller(): string {
    return holderOf(this.name, this.#caller);
  }

  // Without async functions, since every request passes here, and each of them would make three more promises.

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

  update<Value, Result>(
    space: Space<Value>,
    key: string,
    change: (current: Value | undefined, nowMs: number) => Change<Value, Result>,
  ): Promise<Result> {
    return this.transact(updateIn(space, key, change));
  }

  /** Those that come while others are under way wait, and then go together. */
  transact<Result>(change: (view: Transaction) => Result): Promise<Result> {
    const { waiting } = this.#store;
    return new Promise((resolve, reject) => {
      const caller = () => this.caller();
      const transaction = { caller, change, resolve, reject } as WaitingTransaction;
      const queue = waiting.get(this.name);
      if (queue !== undefined) {
        queue.push(transaction);
        return;
      }
      waiting.set(this.name, [transaction]);
      void workOff(this.#store, this.name);
    });
  }

  log<Item>(space: LogSpace<unknown, Item>, key: string): RedisLog<Item> {
    const isThere = async () => (await this.read(space, key)) !== undefined;
    return new RedisLog<Item>(this.#store, this.name, space, key, isThere);
  }

  async setClockOffset(offsetMs: number): Promise<void> {
    const words = [String(offsetMs)];
    await this.#store.askWithRoom(this.name, 'setOffset', words, () => this.caller());
  }

  async reset(): Promise<void> {
    await this.#store.registry.forget(this.name);
  }

  #timeAt(offsetMs: string): number {
    return this.#store.clock() + Number(offsetMs);
  }
}
