/** One sandbox in a Redis or Valkey server; see sandbox.lua for what is stored how. */

import { setTimeout as delay } from 'node:timers/promises';
import { noEntries } from '../live-entries.js';
import {
  type CapacityError,
  type Change,
  type LogSpace,
  noRoom,
  type Sandbox,
  type SandboxStatus,
  type Space,
  StateUnavailableError,
} from '../state.js';
import { type FoldedUpdates, foldUpdates, isLive, type WaitingUpdate } from './fold-updates.js';
import { newRow, noRow, type Row } from './known-rows.js';
import { RedisLog } from './redis-log.js';
import { flagsOf, type RedisStore } from './redis-store.js';

/** As many writers of one key as that may come first, before one gives up. */
const maxAttempts = 200;
/** From here on it pauses in between. */
const patientAttempts = 5;

/** What is under a key, and the sandbox's clock. */
interface Found {
  readonly row: Row;
  readonly offsetMs: string;
}

export class RedisSandbox implements Sandbox {
  readonly name: string;
  readonly #store: RedisStore;

  constructor(name: string, store: RedisStore) {
    this.name = name;
    this.#store = store;
  }

  async now(): Promise<number> {
    const { offsetMs } = await this.#store.check(this.name);
    return this.#timeAt(offsetMs);
  }

  async status(): Promise<SandboxStatus | undefined> {
    const { createdAtMs, offsetMs } = await this.#store.check(this.name);
    if (createdAtMs === undefined) return undefined;
    const lastUsedAtMs = this.#store.clock();
    return { createdAtMs, lastUsedAtMs, clockOffsetMs: Number(offsetMs) };
  }

  async read<Value>(space: Space<Value>, key: string): Promise<Value | undefined> {
    const { row, offsetMs } = await this.#find(space, key);
    return isLive(row, this.#timeAt(offsetMs)) ? (row.value as Value) : undefined;
  }

  async entries<Value>(space: Space<Value>): Promise<readonly (readonly [string, Value])[]> {
    const { view, offsetMs } = await this.#store.check(this.name, space);
    if (view === undefined) return noEntries;
    const rows = await this.#store.rows(this.name, space, view);
    const entries = this.#store.known.list(view, rows, this.#timeAt(offsetMs));
    return entries as readonly (readonly [string, Value])[];
  }

  /** Updates of one key that come while one is under way wait, and then go together. */
  update<Value, Result>(
    space: Space<Value>,
    key: string,
    change: (current: Value | undefined, nowMs: number) => Change<Value, Result>,
  ): Promise<Result> {
    const id = `${this.name}|${space.name}|${key}`;
    const { updates } = this.#store;
    return new Promise((resolve, reject) => {
      const update = { change, resolve, reject } as WaitingUpdate;
      const waiting = updates.get(id);
      if (waiting !== undefined) {
        waiting.push(update);
        return;
      }
      const queue = [update];
      updates.set(id, queue);
      void this.#workOff(id, queue, space, key);
    });
  }

  log<Item>(space: LogSpace<unknown, Item>, key: string): RedisLog<Item> {
    const isThere = async () => (await this.read(space, key)) !== undefined;
    return new RedisLog<Item>(this.#store, this.name, space, key, isThere);
  }

  async setClockOffset(offsetMs: number): Promise<void> {
    await this.#store.askWithRoom(this.name, 'setOffset', [String(offsetMs)]);
  }

  async reset(): Promise<void> {
    await this.#store.registry.forget(this.name);
  }

  #timeAt(offsetMs: string): number {
    return this.#store.clock() + Number(offsetMs);
  }

  async #find(space: Space<unknown>, key: string): Promise<Found> {
    const { view, offsetMs } = await this.#store.check(this.name, space);
    if (view === undefined) return { row: noRow, offsetMs };
    return { row: await this.#store.row(this.name, space, key, view), offsetMs };
  }

  async #workOff(
    id: string,
    queue: WaitingUpdate[],
    space: Space<unknown>,
    key: string,
  ): Promise<void> {
    while (queue.length > 0) {
      try {
        await this.#commit(queue, space, key);
      } catch (error) {
        // Whether it was written is not known, so nobody may try it again for the caller.
        for (const { reject } of queue.splice(0)) reject(error);
      }
    }
    this.#store.updates.delete(id);
  }

  /**
   * Carries out all updates of the queue in one write, and takes them out of it. It begins with what was
   * seen last: the write takes place only if that is still so, and says what there is otherwise.
   */
  async #commit(queue: WaitingUpdate[], space: Space<unknown>, key: string): Promise<void> {
    let found: Found = this.#store.guess(this.name, space, key);
    let isSure = false;
    let full: CapacityError | undefined;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const batch = [...queue];
      const { row, offsetMs } = found;
      const stored = row === noRow ? undefined : row;
      const folded = foldUpdates(batch, stored, this.#timeAt(offsetMs), full);
      const isDone =
        folded.outcome === undefined ? isSure : await this.#write(space, key, found, folded);
      if (isDone === true) {
        queue.splice(0, batch.length);
        folded.settle();
        return;
      }
      full = isDone === 'full' ? noRoom(space) : undefined;
      if (isDone === 'full') continue;
      if (attempt > patientAttempts) await delay(Math.random() * Math.min(attempt, 20));
      found = isDone === false ? await this.#find(space, key) : isDone;
      isSure = true;
    }
    const cause = new Error(`${maxAttempts} writers of ${space.name} ${key} came first.`);
    throw new StateUnavailableError({ cause });
  }

  /** Whether it was written; what is there when it is not what was found. */
  async #write(
    space: Space<unknown>,
    key: string,
    { row, offsetMs }: Found,
    { outcome, isNew }: FoldedUpdates,
  ): Promise<true | 'full' | Found> {
    const words = [space.name, flagsOf(space), String(space.maxKeys), key, row.version, offsetMs];
    let [expiry, json] = ['-', ''];
    if (outcome !== undefined && outcome !== 'deleted') {
      if (Number.isFinite(outcome.expiresAtMs)) expiry = String(outcome.expiresAtMs);
      json = JSON.stringify(outcome.value);
      words.push(isNew ? '1' : '0', expiry, json);
      if (isNew && space.isFindable) await this.#store.setHolder(this.name, space, key);
    }
    const [answer, ...rest] = await this.#store.askWithRoom(this.name, 'write', words);
    if (answer === 'full') return 'full';
    if (answer === 'conflict') {
      const [, offsetNow = '0', stored = ''] = rest;
      return { row: this.#store.keep(this.name, space, key, stored), offsetMs: offsetNow };
    }
    const [before = '0', version = '0', created = '0'] = rest;
    const written = json === '' ? noRow : newRow(version, created, expiry, json);
    this.#store.written(this.name, space, key, written, before, version);
    return true;
  }
}
