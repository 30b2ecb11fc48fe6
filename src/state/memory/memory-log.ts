import { type Ranked, Ranking } from '#base/shares/ranking.js';
import { isOfClass, type LogEntry, type LogSpace, type LogStatus } from '../state.js';
import { Holdings, nextGroup, type Share } from './holdings.js';
import { LogPages, type Page } from './log-pages.js';

interface StoredEntry {
  readonly sequence: number;
  /** Increases with each entry over all logs. */
  readonly age: number;
  readonly page: Page;
  readonly start: number;
  readonly itemLength: number;
  readonly length: number;
}

/** A log at one moment. */
export interface CopiedLog {
  readonly lastSequence: number;
  readonly clearedSequence: number;
  readonly entries: readonly StoredEntry[];
}

/** Logs of an account, or of another sandbox; `amount` is the bytes of their entries. */
interface LogShare extends Share {
  /** Logs with entries; the log with the oldest entry comes first. */
  readonly logs: Ranking<MemoryLog>;
}

/** Size of an entry without its contents: its objects, rounded up. */
const entryOverheadBytes = 192;

const noBytes = Buffer.alloc(0);

/**
 * Limits the bytes of all logs: the largest share of the largest holder loses its oldest entries
 * first.
 */
export class LogStore {
  readonly #maxBytes: number;
  readonly #shares = new Map<string, LogShare>();
  readonly #holdings = new Holdings<LogShare>();
  readonly #beforeChange: (owner: LogOwner) => void;
  #entries = 0;
  #age = 0;
  #isRestoring = false;

  /** `beforeChange` is called before each change of a log. */
  constructor(maxBytes: number, beforeChange: (owner: LogOwner) => void) {
    this.#maxBytes = maxBytes;
    this.#beforeChange = beforeChange;
  }

  changes(owner: LogOwner): void {
    this.#beforeChange(owner);
  }

  /** Until {@link endRestoring}, entries may hold more than the limit. */
  beginRestoring(): void {
    this.#isRestoring = true;
  }

  endRestoring(): void {
    this.#isRestoring = false;
    this.#makeRoom();
  }

  sizes(): { readonly logEntries: number; readonly logBytes: number } {
    return { logEntries: this.#entries, logBytes: this.#holdings.total };
  }

  shareOf({ name: sandbox, holder }: LogOwner): LogShare {
    const name = holder.startsWith('@') && !isOfClass(sandbox) ? holder : sandbox;
    const known = this.#shares.get(name);
    if (known !== undefined) return known;
    const logs = new Ranking<MemoryLog>();
    const share = { name, holder, group: holder, amount: 0, place: 0, logs };
    this.#shares.set(name, share);
    this.#holdings.add(share);
    return share;
  }

  restoreAge(age: number): void {
    this.#age = Math.max(this.#age, age);
  }

  nextAge(): number {
    this.#age += 1;
    return this.#age;
  }

  hold(share: LogShare, bytes: number): void {
    this.#holdings.change(share, bytes);
  }

  /** Counts a new entry, and drops others if the total is too large. */
  added(share: LogShare): void {
    this.#entries += 1;
    this.hold(share, entryOverheadBytes);
    if (!this.#isRestoring) this.#makeRoom();
  }

  #makeRoom(): void {
    while (this.#holdings.total > this.#maxBytes) {
      const { most } = this.#holdings;
      const log = most && nextGroup(most)?.shares.most?.logs.most;
      if (log === undefined) return;
      log.drop(0);
    }
  }

  removed(share: LogShare): void {
    this.#entries -= 1;
    this.hold(share, -entryOverheadBytes);
  }

  leave(share: LogShare): void {
    if (share.logs.most !== undefined || !this.#shares.delete(share.name)) return;
    this.#holdings.remove(share);
  }
}

export interface LogOwner {
  readonly name: string;
  readonly holder: string;
}

/** Ranked by the age of its oldest entry. */
export class MemoryLog implements Ranked {
  amount = 0;
  place = 0;
  readonly #store: LogStore;
  readonly #owner: LogOwner;
  #maxEntries: number;
  readonly #onChange: () => void;
  readonly #entries: StoredEntry[] = [];
  readonly #pages = new LogPages();
  #lastSequence = 0;
  #clearedSequence = 0;

  constructor(
    store: LogStore,
    owner: LogOwner,
    { maxEntries, isAlwaysThere }: LogSpace<unknown, unknown>,
    onChange: () => void,
  ) {
    this.#store = store;
    this.#owner = owner;
    this.#maxEntries = maxEntries;
    this.#onChange = onChange;
    if (isAlwaysThere) this.#clearedSequence = this.#lastSequence = microseconds();
  }

  append(item: unknown, bytes: Uint8Array | string): number {
    this.#store.changes(this.#owner);
    const share = this.#store.shareOf(this.#owner);
    const emptied = this.#entries.length < this.#maxEntries ? undefined : this.#take(0, share);
    const json = JSON.stringify(item);
    const itemLength = Buffer.byteLength(json);
    const length = itemLength + Buffer.byteLength(bytes);
    const { page, start } = this.#place(length, share, emptied);
    page.room.write(json, start);
    if (typeof bytes === 'string') page.room.write(bytes, start + itemLength);
    else page.room.set(bytes, start + itemLength);
    this.#lastSequence += 1;
    const sequence = this.#lastSequence;
    this.#add({ sequence, age: this.#store.nextAge(), page, start, itemLength, length }, share);
    this.#onChange();
    return sequence;
  }

  /** Reserves bytes in a page. */
  #place(length: number, share: LogShare, emptied: Page | undefined) {
    const before = this.#pages.bytes;
    const page = this.#pages.pageFor(length, emptied);
    this.#store.hold(share, this.#pages.bytes - before);
    const { end: start } = page;
    page.end += length;
    page.entries += 1;
    return { page, start };
  }

  #add(entry: StoredEntry, share: LogShare): void {
    this.#entries.push(entry);
    if (this.#entries.length === 1) {
      this.amount = -entry.age;
      share.logs.add(this);
    }
    this.#store.added(share);
  }

  copy(): CopiedLog {
    for (const { page } of this.#entries) page.isCopied = true;
    return {
      lastSequence: this.#lastSequence,
      clearedSequence: this.#clearedSequence,
      entries: [...this.#entries],
    };
  }

  restore(lastSequence: number, clearedSequence: number): void {
    this.#lastSequence = lastSequence;
    this.#clearedSequence = clearedSequence;
  }

  restoreEntry(
    { sequence, age, itemLength }: Pick<StoredEntry, 'sequence' | 'age' | 'itemLength'>,
    bytes: Uint8Array,
  ): void {
    const share = this.#store.shareOf(this.#owner);
    const { length } = bytes;
    const { page, start } = this.#place(length, share, undefined);
    page.room.set(bytes, start);
    this.#store.restoreAge(age);
    this.#add({ sequence, age, page, start, itemLength, length }, share);
  }

  /** Sets the limit, which a restored log does not know. */
  limitTo(maxEntries: number): void {
    if (maxEntries === this.#maxEntries) return;
    this.#maxEntries = maxEntries;
    while (this.#entries.length > maxEntries) this.drop(0);
  }

  /** Drops the entry at an index, from 0 for the oldest. */
  drop(place: number): void {
    this.#store.changes(this.#owner);
    const share = this.#store.shareOf(this.#owner);
    const before = this.#pages.bytes;
    this.#pages.release(this.#take(place, share));
    this.#store.hold(share, this.#pages.bytes - before);
    this.#store.leave(share);
  }

  /** Removes an entry, and returns its page if it is empty. */
  #take(place: number, share: LogShare): Page | undefined {
    const entry = place === 0 ? this.#entries.shift() : this.#entries.splice(place, 1)[0];
    if (entry === undefined) return undefined;
    const [oldest] = this.#entries;
    if (oldest === undefined) share.logs.remove(this);
    else share.logs.change(this, -oldest.age - this.amount);
    this.#store.removed(share);
    return this.#pages.leave(entry.page);
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
    const found = this.#entries.slice(Math.max(0, end - limit), end);
    return found.reverse().map(unpack);
  }

  remove(sequence: number): boolean {
    const place = this.#entries.findIndex((entry) => entry.sequence === sequence);
    if (place >= 0) this.drop(place);
    return place >= 0;
  }

  clear(): void {
    this.#store.changes(this.#owner);
    while (this.#entries.length > 0) this.drop(0);
    this.#lastSequence += 1;
    this.#clearedSequence = this.#lastSequence;
    this.#onChange();
  }
}

/** Returns a time that no two logs share. */
function microseconds(): number {
  return Math.floor((performance.timeOrigin + performance.now()) * 1000);
}

/** Copies the bytes, because another entry may soon overwrite them. */
function unpack({ sequence, page, start, itemLength, length }: StoredEntry): LogEntry<unknown> {
  const { room } = page;
  const bytesStart = start + itemLength;
  const bytes =
    itemLength === length ? noBytes : Buffer.from(room.subarray(bytesStart, start + length));
  return { sequence, item: JSON.parse(room.toString('utf8', start, bytesStart)), bytes };
}
