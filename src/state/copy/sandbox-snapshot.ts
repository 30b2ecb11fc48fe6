/** A sandbox as it was when it was first read. */

import { type Awaitable, whenKnown } from '../../base/awaitable.js';
import type { Base, StoredEntry } from '../rows/overlay.js';
import type { Sandbox, Space } from '../state.js';

type Entries = ReturnType<Base['list']>;

/** Keeps everything that was read, so that several copies see the same state. */
export class SandboxSnapshot {
  readonly sandbox: Sandbox;
  readonly nowMs: number;
  readonly #values = new Map<string, Awaitable<StoredEntry | undefined>>();
  readonly #lists = new Map<string, Awaitable<Entries>>();

  private constructor(sandbox: Sandbox, nowMs: number) {
    this.sandbox = sandbox;
    this.nowMs = nowMs;
  }

  static async of(sandbox: Sandbox): Promise<SandboxSnapshot> {
    return new SandboxSnapshot(sandbox, await sandbox.now());
  }

  value(space: Space<unknown>, key: string): Awaitable<StoredEntry | undefined> {
    return known(this.#values, `${space.name} ${key}`, () =>
      whenKnown(this.sandbox.read(space, key), (value) =>
        value === undefined ? undefined : { value, expiresAtMs: Number.POSITIVE_INFINITY },
      ),
    );
  }

  list(space: Space<unknown>): Awaitable<Entries> {
    return known(this.#lists, space.name, () => this.sandbox.entries(space));
  }
}

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
