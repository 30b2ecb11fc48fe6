/** Fills an empty state in memory with copied sandboxes, in the order of the copies. */

import { type Contents, Entries, type Entry, spaceBytes } from './memory-entries.js';
import type { MemoryLog } from './memory-log.js';
import { type MemoryStore, newLog, noteHolder } from './memory-sandbox.js';

/** The keys of a space do not know it, so the first use of a log sets its limit. */
const unlimited = Number.POSITIVE_INFINITY;

/** Each call adds to what the previous one began. */
export class MemoryRestorer {
  readonly #store: MemoryStore;
  #contents: Contents | undefined;
  #space: { readonly name: string; readonly entries: Entries; readonly isFindable: boolean };
  #key = '';
  #log: MemoryLog | undefined;

  constructor(store: MemoryStore) {
    this.#store = store;
    this.#space = { name: '', entries: new Entries(), isFindable: false };
    store.logs.beginRestoring();
  }

  sandbox(
    name: string,
    holder: string,
    createdAtMs: number,
    lastUsedAtMs: number,
    clockOffsetMs: number,
  ): void {
    const head = { name, holder, createdAtMs, lastUsedAtMs, clockOffsetMs };
    this.#contents = this.#store.sandboxes.restore(head);
  }

  space(name: string, isFindable: boolean): void {
    const contents = this.#contents as Contents;
    const { holders } = this.#store;
    // An empty space has no entry that says so.
    if (isFindable && !holders.has(name)) holders.set(name, new Map());
    this.#space = { name, entries: new Entries(), isFindable };
    contents.spaces.set(name, this.#space.entries);
    this.#store.sandboxes.addBytes(contents, spaceBytes);
  }

  entry(key: string, expiry: number | null, bytes: number, value: unknown): void {
    const contents = this.#contents as Contents;
    const expiresAtMs = expiry ?? unlimited;
    const { name, entries, isFindable } = this.#space;
    entries.set(key, { value, expiresAtMs, bytes, log: undefined });
    if (isFindable) noteHolder(this.#store.holders, name, key, contents.name);
    this.#store.sandboxes.addBytes(contents, bytes);
    this.#key = key;
  }

  log(lastSequence: number, clearedSequence: number): void {
    const { name, entries } = this.#space;
    const space = { name, maxKeys: unlimited, maxEntries: unlimited };
    this.#log = newLog(this.#store, this.#contents as Contents, space, this.#key);
    this.#log.restore(lastSequence, clearedSequence);
    (entries.get(this.#key) as Entry).log = this.#log;
  }

  logEntry(sequence: number, age: number, itemLength: number, bytes: Uint8Array): void {
    (this.#log as MemoryLog).restoreEntry({ sequence, age, itemLength }, bytes);
  }

  /** Applies the limits, which may have become lower. */
  end(): void {
    this.#store.sandboxes.fit();
    this.#store.logs.endRestoring();
  }
}
