/** Writes of transactions over stored values, until all of them are stored at once. */

import type { LiveEntries } from '../live-entries.js';
import {
  type LogSpace,
  noRoom,
  type Space,
  type Transaction,
  type WriteOptions,
} from '../state.js';

export interface StoredEntry {
  readonly value: unknown;
  readonly expiresAtMs: number;
}

/** The state, or earlier transactions. */
export interface Base {
  /** Returns `undefined` for an absent or expired value. */
  find(space: Space<unknown>, key: string): StoredEntry | undefined;
  list(space: Space<unknown>): LiveEntries['entries'];
  /** Returns whether a space that never evicts accepts this many more keys. */
  hasRoom(space: Space<unknown>, keys: number): boolean;
}

export interface Write extends StoredEntry, WriteOptions {
  readonly space: Space<unknown>;
  readonly key: string;
  /** Whether the key is last in the order of creation. */
  readonly isNew: boolean;
  readonly expiresAtMs: number;
}

export interface Append {
  readonly space: LogSpace<unknown, unknown>;
  readonly key: string;
  readonly item: unknown;
  readonly text: string;
}

class SpaceWrites {
  readonly byKey = new Map<string, Write>();
  added = 0;
}

/** Sees the writes of the layers below, and is merged or dropped as a whole. */
export class Overlay implements Base, Transaction {
  readonly nowMs: number;
  readonly appends: Append[] = [];
  readonly #base: Base;
  readonly #spaces = new Map<string, SpaceWrites>();
  #isOver = false;

  constructor(base: Base, nowMs: number) {
    this.#base = base;
    this.nowMs = nowMs;
  }

  read<Value>(space: Space<Value>, key: string): Value | undefined {
    return this.find(space, key)?.value as Value | undefined;
  }

  entries<Value>(space: Space<Value>): readonly (readonly [string, Value])[] {
    return this.list(space) as readonly (readonly [string, Value])[];
  }

  write<Value>(
    space: Space<Value>,
    key: string,
    value: Value | undefined,
    { expiresAtMs = Number.POSITIVE_INFINITY, bytes, json }: WriteOptions = {},
  ): void {
    this.#checkOpen();
    const current = this.find(space, key);
    const kept = this.nowMs < expiresAtMs ? value : undefined;
    if (kept === undefined ? current === undefined : isSame(current, kept, expiresAtMs)) return;
    const isNew = current === undefined;
    if (isNew && space.isKeptWhenFull && !this.hasRoom(space, 1)) throw noRoom(space);
    this.#writesTo(space.name).added += Number(kept !== undefined) - Number(!isNew);
    this.#put({ space, key, value: kept, expiresAtMs, isNew, bytes, json });
  }

  append<Item>(space: LogSpace<true, Item>, key: string, item: Item, text: string): void {
    this.#checkOpen();
    this.write(space, key, true);
    this.appends.push({ space, key, item, text });
  }

  find(space: Space<unknown>, key: string): StoredEntry | undefined {
    const written = this.#spaces.get(space.name)?.byKey.get(key);
    if (written === undefined) return this.#base.find(space, key);
    return written.value === undefined ? undefined : written;
  }

  list(space: Space<unknown>): LiveEntries['entries'] {
    const below = this.#base.list(space);
    const writes = this.#spaces.get(space.name)?.byKey;
    if (writes === undefined) return below;
    const kept = below.flatMap(([key, value]) => {
      const { isNew, value: now } = writes.get(key) ?? { isNew: false, value };
      return isNew || now === undefined ? [] : [[key, now] as const];
    });
    const added = [...writes.values()].filter(isAdded);
    return [...kept, ...added.map(({ key, value }) => [key, value] as const)];
  }

  hasRoom(space: Space<unknown>, keys: number): boolean {
    return this.#base.hasRoom(space, keys + (this.#spaces.get(space.name)?.added ?? 0));
  }

  /** Returns all writes; writes that create keys come last. */
  writes(): Write[] {
    const kept: Write[] = [];
    const added: Write[] = [];
    for (const { byKey } of this.#spaces.values()) {
      for (const write of byKey.values()) (isAdded(write) ? added : kept).push(write);
    }
    return kept.length === 0 ? added : [...kept, ...added];
  }

  absorb(above: Overlay): void {
    for (const [name, { byKey, added }] of above.#spaces) {
      for (const write of byKey.values()) this.#put(write);
      this.#writesTo(name).added += added;
    }
    for (const append of above.appends) this.appends.push(append);
  }

  run<Result>(change: (view: Transaction) => Result): Result {
    try {
      return change(this);
    } finally {
      this.#isOver = true;
    }
  }

  #put(write: Write): void {
    const { space, key } = write;
    const { byKey: writes } = this.#writesTo(space.name);
    const wasNew = writes.get(key)?.isNew;
    // A key that was created again comes last.
    if (write.isNew) writes.delete(key);
    writes.set(key, wasNew && !write.isNew ? { ...write, isNew: true } : write);
  }

  #writesTo(spaceName: string): SpaceWrites {
    const known = this.#spaces.get(spaceName);
    if (known !== undefined) return known;
    const made = new SpaceWrites();
    this.#spaces.set(spaceName, made);
    return made;
  }

  #checkOpen(): void {
    if (this.#isOver) throw new Error('The transaction is over: its function must not wait.');
  }
}

function isAdded({ isNew, value }: Write): boolean {
  return isNew && value !== undefined;
}

function isSame(current: StoredEntry | undefined, value: unknown, expiresAtMs: number): boolean {
  return current !== undefined && current.value === value && current.expiresAtMs === expiresAtMs;
}
