/**
 * Logs in this process's memory. An entry is one buffer outside the garbage collector's heap, so
 * that the bound on bytes is also what the process spends on them.
 */

import type { LogEntry, LogSpace, LogStatus } from '../state.js';
import { type Ranked, Ranking } from './ranking.js';

interface StoredEntry {
  readonly log: MemoryLog;
  readonly share: Share;
  readonly sequence: number;
  /** The item as JSON in UTF-8, then the bytes, then perhaps room that is not used. */
  readonly room: Buffer;
  readonly itemLength: number;
  /** Of item and bytes together. */
  readonly length: number;
  /** Its neighbours in the order of age over all logs of the holder. */
  older: StoredEntry | undefined;
  newer: StoredEntry | undefined;
}

/** The entries in all logs of one holder, in order of age; `amount` is what they take. */
interface Share extends Ranked {
  readonly holder: string;
  oldest: StoredEntry | undefined;
  newest: StoredEntry | undefined;
}

/** What an entry costs beside its contents: its objects, rounded up. */
const entryOverheadBytes = 512;

const noBytes = Buffer.alloc(0);

/** What all logs hold together: who holds most of it loses the oldest entries first. */
export class LogStore {
  readonly #maxBytes: number;
  /** Of those who have entries. */
  readonly #shares = new Map<string, Share>();
  readonly #ranking = new Ranking<Share>();
  #bytes = 0;
  #entries = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  sizes(): { readonly logEntries: number; readonly logBytes: number } {
    return { logEntries: this.#entries, logBytes: this.#bytes };
  }

  shareOf(holder: string): Share {
    const known = this.#shares.get(holder);
    if (known !== undefined) return known;
    const share: Share = { holder, amount: 0, place: 0, oldest: undefined, newest: undefined };
    this.#shares.set(holder, share);
    this.#ranking.add(share);
    return share;
  }

  add(entry: StoredEntry): void {
    const { share } = entry;
    entry.older = share.newest;
    if (share.newest === undefined) share.oldest = entry;
    else share.newest.newer = entry;
    share.newest = entry;
    this.#count(share, entryBytes(entry), 1);
    // The oldest entry of a holder is also the oldest of its own log.
    while (this.#bytes > this.#maxBytes) this.#ranking.most?.oldest?.log.dropOldest();
  }

  remove(entry: StoredEntry): void {
    const { share, older, newer } = entry;
    if (older === undefined) share.oldest = newer;
    else older.newer = newer;
    if (newer === undefined) share.newest = older;
    else newer.older = older;
    // A dropped entry that still led to newer ones would make the collector keep those for longer.
    entry.older = undefined;
    entry.newer = undefined;
    this.#count(share, -entryBytes(entry), -1);
    if (share.oldest !== undefined) return;
    this.#shares.delete(share.holder);
    this.#ranking.remove(share);
  }

  #count(share: Share, bytes: number, entries: number): void {
    this.#bytes += bytes;
    this.#entries += entries;
    this.#ranking.change(share, bytes);
  }
}

function entryBytes(entry: StoredEntry): number {
  return entry.room.length + entryOverheadBytes;
}

export class MemoryLog {
  readonly #store: LogStore;
  readonly #holder: string;
  readonly #maxEntries: number;
  /** The oldest first. */
  readonly #entries: StoredEntry[] = [];
  readonly #onChange: () => void;
  #lastSequence = 0;
  #clearedSequence = 0;

  /** `holder` is whose share of the store its entries take from. */
  constructor(
    store: LogStore,
    holder: string,
    { maxEntries, isAlwaysThere }: LogSpace<unknown, unknown>,
    onChange: () => void,
  ) {
    this.#store = store;
    this.#holder = holder;
    this.#maxEntries = maxEntries;
    this.#onChange = onChange;
    if (isAlwaysThere) this.#clearedSequence = this.#lastSequence = microseconds();
  }

  append(item: unknown, bytes: Uint8Array | string): number {
    const dropped = this.#entries.length < this.#maxEntries ? undefined : this.dropOldest();
    const json = JSON.stringify(item);
    const itemLength = Buffer.byteLength(json);
    const length = itemLength + Buffer.byteLength(bytes);
    const room = roomFor(length, dropped?.room);
    room.write(json);
    if (typeof bytes === 'string') room.write(bytes, itemLength);
    else room.set(bytes, itemLength);
    this.#lastSequence += 1;
    const entry: StoredEntry = {
      log: this,
      share: this.#store.shareOf(this.#holder),
      room,
      itemLength,
      length,
      sequence: this.#lastSequence,
      older: undefined,
      newer: undefined,
    };
    this.#entries.push(entry);
    this.#store.add(entry);
    this.#onChange();
    return entry.sequence;
  }

  dropOldest(): StoredEntry | undefined {
    const entry = this.#entries.shift();
    if (entry !== undefined) this.#store.remove(entry);
    return entry;
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

  before(sequence: number, limit: number): LogEntry<unknown>[] {
    const end = this.#entries.findLastIndex((entry) => entry.sequence < sequence) + 1;
    return this.#entries
      .slice(Math.max(0, end - limit), end)
      .reverse()
      .map(unpack);
  }

  /** Says whether there was one of this sequence. */
  remove(sequence: number): boolean {
    const place = this.#entries.findIndex((entry) => entry.sequence === sequence);
    if (place < 0) return false;
    for (const entry of this.#entries.splice(place, 1)) this.#store.remove(entry);
    return true;
  }

  clear(): void {
    while (this.#entries.length > 0) this.dropOldest();
    this.#lastSequence += 1;
    this.#clearedSequence = this.#lastSequence;
    this.#onChange();
  }
}

/** The time, as no two logs begin at. */
function microseconds(): number {
  return Math.floor((performance.timeOrigin + performance.now()) * 1000);
}

/** Requests of one sender differ by a few digits: with so much to spare, the next one fits as well. */
const roomStepBytes = 256;

/**
 * Room for an entry: that of the dropped one where it fits without waste. Large buffers that live for
 * a while cost far more to get and to give back than to fill.
 */
function roomFor(length: number, dropped: Buffer | undefined): Buffer {
  const wanted = Math.ceil(length / roomStepBytes) * roomStepBytes;
  const isFit = dropped !== undefined && dropped.length >= length && dropped.length <= 2 * wanted;
  return isFit ? dropped : Buffer.allocUnsafeSlow(wanted);
}

/** The bytes are a copy: the room they were in may soon be another entry's. */
function unpack({ sequence, room, itemLength, length }: StoredEntry): LogEntry<unknown> {
  const bytes = itemLength === length ? noBytes : Buffer.from(room.subarray(itemLength, length));
  return { sequence, item: JSON.parse(room.toString('utf8', 0, itemLength)), bytes };
}
