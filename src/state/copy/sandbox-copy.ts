/** A copy of a sandbox: it reads the original, and keeps its own writes in memory. */

import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { BaseSandbox } from '../base-sandbox.js';
import { type Base, Overlay, type StoredEntry } from '../rows/overlay.js';
import type { Log, LogSpace, Sandbox, SandboxStatus, Space, Transaction } from '../state.js';
import { CopiedLog } from './copied-log.js';
import type { SandboxSnapshot } from './sandbox-snapshot.js';

/** The writes of a copy: JSON by space and key. */
export type WrittenState = Readonly<Record<string, unknown>>;

export class SandboxCopy extends BaseSandbox implements Sandbox {
  readonly #snapshot: SandboxSnapshot;
  readonly #reads: SnapshotReads;
  readonly #own: Overlay;
  readonly #logs = new Map<string, CopiedLog<unknown>>();

  constructor(snapshot: SandboxSnapshot) {
    super(snapshot.sandbox.name, undefined);
    this.#snapshot = snapshot;
    this.#reads = new SnapshotReads(snapshot);
    this.#own = new Overlay(this.#reads, snapshot.nowMs);
  }

  override caller(): string {
    return this.#snapshot.sandbox.caller();
  }

  now(): number {
    return this.#snapshot.nowMs;
  }

  read<Value>(space: Space<Value>, key: string): Awaitable<Value | undefined> {
    return whenKnown(this.#snapshot.value(space, key), () => this.#own.read(space, key));
  }

  entries<Value>(space: Space<Value>): Awaitable<readonly (readonly [string, Value])[]> {
    return whenKnown(this.#snapshot.list(space), () => this.#own.entries(space));
  }

  transact<Result>(change: (view: Transaction) => Result): Awaitable<Result> {
    const view = new Overlay(this.#own, this.#snapshot.nowMs);
    let outcome: { readonly result: Result } | { readonly error: unknown };
    try {
      outcome = { result: view.run(change) };
    } catch (error) {
      outcome = { error };
    }
    const loading = this.#reads.load();
    // The change has read values that were not loaded yet.
    if (loading !== undefined) return loading.then(() => this.transact(change));
    if ('error' in outcome) throw outcome.error;
    for (const { space, key, item, text } of view.appends) {
      void this.#logOf(space, key).append(item, Buffer.from(text));
    }
    view.appends.length = 0;
    this.#own.absorb(view);
    return outcome.result;
  }

  log<Item>(space: LogSpace<unknown, Item>, key: string): Log<Item> {
    return this.#logOf(space, key) as CopiedLog<Item>;
  }

  status(): Awaitable<SandboxStatus | undefined> {
    return this.#snapshot.sandbox.status();
  }

  setClockOffset(): never {
    throw new Error('A copy of a sandbox keeps its clock.');
  }

  reset(): never {
    throw new Error('A copy of a sandbox cannot be reset.');
  }

  written(): WrittenState {
    const values = this.#own
      .writes()
      .map(({ space, key, value, json }) => [
        `${space.name} ${key}`,
        value === undefined ? 'deleted' : JSON.parse(json ?? JSON.stringify(value)),
      ]);
    const logs = [...this.#logs].flatMap(([name, log]) =>
      log.isChanged ? [[`log ${name}`, log.changes]] : [],
    );
    return Object.fromEntries([...values, ...logs]);
  }

  #logOf<Item>(space: LogSpace<unknown, Item>, key: string): CopiedLog<unknown> {
    const name = `${space.name} ${key}`;
    const made =
      this.#logs.get(name) ??
      new CopiedLog<unknown>(this.#snapshot.log(space, key) as Log<unknown> | undefined, () =>
        space.isAlwaysThere
          ? true
          : whenKnown(this.read(space, key), (value) => value !== undefined),
      );
    this.#logs.set(name, made);
    return made;
  }
}

/** Reads of transactions, which must not wait. */
class SnapshotReads implements Base {
  readonly #snapshot: SandboxSnapshot;
  #missing: Promise<unknown>[] = [];

  constructor(snapshot: SandboxSnapshot) {
    this.#snapshot = snapshot;
  }

  find(space: Space<unknown>, key: string): StoredEntry | undefined {
    return this.#known(this.#snapshot.value(space, key), undefined);
  }

  list(space: Space<unknown>): ReturnType<Base['list']> {
    return this.#known(this.#snapshot.list(space), noEntries);
  }

  hasRoom(space: Space<unknown>, keys: number): boolean {
    return this.list(space).length + keys <= space.maxKeys;
  }

  /** Loads what was missing; returns `undefined` if nothing was. */
  load(): Promise<unknown> | undefined {
    if (this.#missing.length === 0) return undefined;
    const loading = Promise.all(this.#missing);
    this.#missing = [];
    return loading;
  }

  #known<Value>(value: Awaitable<Value>, absent: Value): Value {
    if (!(value instanceof Promise)) return value;
    this.#missing.push(value);
    return absent;
  }
}

const noEntries: ReturnType<Base['list']> = [];
