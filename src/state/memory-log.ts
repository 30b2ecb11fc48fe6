/**
 * Logs in this process's memory. An entry is one buffer outside the garbage collector's heap, so
 * that the bound on bytes is also what the process spends on them.
 */

import type { LogEntry, LogStatus } from './state.js';

interface StoredEntry {
  readonly log: MemoryLog;
  readonly sequence: number;
  /** The item as JSON in UTF-8, then the bytes. */
  readonly packed: Buffer;
  readonly itemLength: number;
  /** Its neighbours in the order of age over all logs. */
  older: StoredEntry | undefined;
  newer: StoredEntry | undefined;
}

/** What an entry costs beside its contents: its objects, rounded up. */
const entryOverheadBytes = 512;

const noBytes = Buffer.alloc(0);

/** What all logs hold together, in order of age. */
export class LogStore {
  readonly #maxBytes: number;
  #bytes = 0;
  #oldest: StoredEntry | undefined;
  #newest: StoredEntry | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(entry: StoredEntry): void {
    entry.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
    this.#bytes += entryBytes(entry);
    // The oldest entry anywhere is also the oldest of its own log.
    while (this.#bytes > this.#maxBytes) this.#oldest?.log.dropOldest();
  }

  remove(entry: StoredEntry): void {
    const { older, newer } = entry;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    this.#bytes -= entryBytes(entry);
  }
}

function entryBytes(entry: StoredEntry): number {
  return entry.packed.length + entryOverheadBytes;
}

export class MemoryLog {
  readonly #store: LogStore;
  readonly #maxEntries: number;
  /** The oldest first. */
  readonly #entries: StoredEntry[] = [];
  readonly #waiting = new Set<() => void>();
  #lastSequence = 0;
  #clearedSequence = 0;
  #isClosed = false;

  constructor(store: LogStore, maxEntries: number) {
    this.#store = store;
    this.#maxEntries = maxEntries;
  }

  append(item: unknown, bytes: Uint8Array): number {
    if (this.#entries.length >= this.#maxEntries) this.dropOldest();
    const json = JSON.stringify(item);
    const itemLength = Buffer.byteLength(json);
    // A buffer of its own: a slice would keep alive all of the larger one that it came in.
    const packed = Buffer.allocUnsafeSlow(itemLength + bytes.length);
    packed.write(json);
    packed.set(bytes, itemLength);
    this.#lastSequence += 1;
    const place = { sequence: this.#lastSequence, older: undefined, newer: undefined };
    const entry: StoredEntry = { log: this, packed, itemLength, ...place };
    this.#entries.push(entry);
    this.#store.add(entry);
    this.#wake();
    return entry.sequence;
  }

  dropOldest(): void {
    const entry = this.#entries.shift();
    if (entry !== undefined) this.#store.remove(entry);
  }

  status(): LogStatus {
    return {
      size: this.#entries.length,
      lastSequence: this.#lastSequence,
      clearedSequence: this.#clearedSequence,
    };
  }

  newest(limit: number): LogEntry<unknown>[] {
    return this.#entries.slice(-limit).reverse().map(unpack);
  }

  after(sequence: number, limit: number): LogEntry<unknown>[] {
    const start = this.#entries.findIndex((entry) => entry.sequence > sequence);
    return start < 0 ? [] : this.#entries.slice(start, start + limit).map(unpack);
  }

  clear(): void {
    while (this.#entries.length > 0) this.dropOldest();
    this.#lastSequence += 1;
    this.#clearedSequence = this.#lastSequence;
    this.#wake();
  }

  /** Drops everything and lets go of who waits; the key is gone. */
  close(): void {
    this.#isClosed = true;
    this.clear();
  }

  waitPast(sequence: number, signal: AbortSignal): Promise<void> {
    if (this.#isClosed || this.#lastSequence > sequence || signal.aborted) return Promise.resolve();
    const waiting = this.#waiting;
    return new Promise((resolve) => {
      function wake(): void {
        waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      }
      waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}

function unpack({ sequence, packed, itemLength }: StoredEntry): LogEntry<unknown> {
  const bytes = itemLength === packed.length ? noBytes : packed.subarray(itemLength);
  return { sequence, item: JSON.parse(packed.toString('utf8', 0, itemLength)), bytes };
}
