/** A sandbox as it was when it was first read. */

import { type Awaitable, whenKnown } from '#base/awaitable.js';
import type { Base, StoredEntry } from '../rows/overlay.js';
import type { Log, LogSpace, Sandbox, Space } from '../state.js';

type Entries = ReturnType<Base['list']>;

/** Keeps everything that was read, so that several copies see the same state. */
export class SandboxSnapshot {
  readonly sandbox: Sandbox;
  readonly nowMs: number;
  readonly #values = new Map<string, Awaitable<StoredEntry | undefined>>();
  readonly #lists = new Map<string, Awaitable<Entries>>();

  readonly #isPristine: boolean;

  private constructor(sandbox: Sandbox, nowMs: number, isPristine: boolean) {
    this.sandbox = sandbox;
    this.nowMs = nowMs;
    this.#isPristine = isPristine;
  }

  static async of(sandbox: Sandbox): Promise<SandboxSnapshot> {
    return new SandboxSnapshot(sandbox, await sandbox.now(), false);
  }

  /** The sandbox at the same time, as if nothing had been written to it. */
  asPristine(): SandboxSnapshot {
    return new SandboxSnapshot(this.sandbox, this.nowMs, true);
  }

  value(space: Space<unknown>, key: string): Awaitable<StoredEntry | undefined> {
    if (this.#isPristine) return undefined;
    return known(this.#values, `${space.name} ${key}`, () =>
      whenKnown(this.sandbox.read(space, key), (value) =>
        value === undefined ? undefined : { value, expiresAtMs: Number.POSITIVE_INFINITY },
      ),
    );
  }

  /** Returns `undefined` if nothing was ever written. */
  log<Item>(space: LogSpace<unknown, Item>, key: string): Log<Item> | undefined {
    return this.#isPristine ? undefined : this.sandbox.log(space, key);
  }

  list(space: Space<unknown>): Awaitable<Entries> {
    if (this.#isPristine) return nothing;
    return known(this.#lists, space.name, () => this.sandbox.entries(space));
  }
}

const nothing: Entries = [];

/** Reads once. A promise is replaced by its value. */
function known<Value>(
  all: Map<string, Awaitable<Value>>,
  name: string,
  read: () => Awaitable<Value>,
): Awaitable<Value> {
  if (all.has(name)) return all.get(name) as Awaitable<Value>;
  const value = read();
  all.set(name, value);
  if (value instanceof Promise) {
    value.then(
      (found) => all.set(name, found),
      () => {},
    );
  }
  return value;
}
