/** A sandbox whose clock, reads and writes are changed for one request. */

import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { BaseSandbox } from '../base-sandbox.js';
import type {
  Log,
  LogSpace,
  Sandbox,
  SandboxStatus,
  Space,
  Transaction,
  WriteOptions,
} from '../state.js';

export interface StateWrite {
  readonly space: string;
  readonly key: string;
  /** Absent for a deletion. */
  readonly value: unknown;
  readonly options: WriteOptions;
}

/** Each must be pure, because a shared store may run a transaction again. */
export interface SandboxChanges {
  readonly now?: (nowMs: number) => number;
  readonly read?: (space: string, value: unknown) => unknown;
  /** Returns the write to perform instead; `undefined` performs none. */
  readonly write?: (write: StateWrite) => StateWrite | undefined;
}

export class ChangedSandbox extends BaseSandbox implements Sandbox {
  readonly #base: Sandbox;
  readonly #changes: SandboxChanges;

  constructor(base: Sandbox, changes: SandboxChanges) {
    super(base.name, undefined);
    this.#base = base;
    this.#changes = changes;
  }

  override caller(): string {
    return this.#base.caller();
  }

  now(): Awaitable<number> {
    const { now } = this.#changes;
    return now === undefined ? this.#base.now() : whenKnown(this.#base.now(), now);
  }

  read<Value>(space: Space<Value>, key: string): Awaitable<Value | undefined> {
    const { read } = this.#changes;
    const found = this.#base.read(space, key);
    if (read === undefined) return found;
    return whenKnown(found, (value) => read(space.name, value) as Value | undefined);
  }

  transact<Result>(change: (view: Transaction) => Result): Awaitable<Result> {
    return this.#base.transact((view) => change(changedView(view, this.#changes)));
  }

  entries<Value>(space: Space<Value>): Awaitable<readonly (readonly [string, Value])[]> {
    return this.#base.entries(space);
  }

  log<Item>(space: LogSpace<unknown, Item>, key: string): Log<Item> {
    return this.#base.log(space, key);
  }

  status(): Awaitable<SandboxStatus | undefined> {
    return this.#base.status();
  }

  setClockOffset(offsetMs: number): Awaitable<void> {
    return this.#base.setClockOffset(offsetMs);
  }

  reset(kept?: readonly Space<unknown>[]): Awaitable<void> {
    return this.#base.reset(kept);
  }
}

function changedView(view: Transaction, { now, read, write }: SandboxChanges): Transaction {
  return {
    nowMs: now === undefined ? view.nowMs : now(view.nowMs),
    read<Value>(space: Space<Value>, key: string): Value | undefined {
      const value = view.read(space, key);
      return read === undefined ? value : (read(space.name, value) as Value | undefined);
    },
    entries: (space) => view.entries(space),
    write(space, key, value, options = {}) {
      const wanted = { space: space.name, key, value, options };
      const done = write === undefined ? wanted : write(wanted);
      if (done !== undefined) view.write(space, key, done.value as typeof value, done.options);
    },
    append: (space, key, item, text) => {
      const wanted = { space: space.name, key, value: item, options: {} };
      if (write === undefined || write(wanted) !== undefined) view.append(space, key, item, text);
    },
  };
}
