/**
 * Logs in this process's memory. Entries are in pages outside the garbage collector's heap, so that the bound on
 * bytes is also what the process spends on them.
 */

import { type Ranked, Ranking } from '../../base/ranking.js';
import type { LogEntry, LogSpace, LogStatus } from '../state.js';

interface StoredEntry {
  readonly log: MemoryLog;
  readonly share: Share;
  readonly sequence: number;
  readonly page: Page;
  /** Where it begins in the page: the item as JSON in UTF-8, then the bytes. */
  readonly start: number;
  readonly itemLength: number;
  /** Of item and bytes together. */
  readonly length: number;
  /** Its neighbours in the order of age over all logs of the share. */
  older: StoredEntry | undefined;
  newer: StoredEntry | undefined;
}

/** Memory for entries of one log. Each of its own costs more to get and to give back than a small one is worth. */
interface Page {
  readonly room: Buffer;
  /** How far it is filled. */
  end: number;
  /** How many entries it has. */
  entries: number;
}

/** The entries in all logs of an account, or of a sandbox without one, in order of age; `amount` is what they take. */
interface Share extends Ranked {
  readonly name: string;
  readonly holder: Holder;
  oldest: StoredEntry | undefined;
  newest: StoredEntry | undefined;
}

/** A holder of logs; `amount` is what all its shares take. */
interface Holder extends Ranked {
  readonly name: string;
  readonly shares: Ranking<Share>;
}

/** The sandbox of a log, and its holder. */
interface LogOwner {
  readonly name: string;
  readonly holder: string;
}

/** What an entry takes beside its contents, and a page beside its room: their objects, rounded up. */
const entryOverheadBytes = 192;
const pageOverheadBytes = 448;

const noBytes = Buffer.alloc(0);

/** What all logs hold together: of the holder with most, the share with most loses its oldest entries first. */
export class LogStore {
  readonly #maxBytes: number;
  /** Logs that have entries. */
  readonly #shares = new Map<string, Share>();
  readonly #holders = new Map<string, Holder>();
  readonly #ranking = new Ranking<Holder>();
  #bytes = 0;
  #entries = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  sizes(): { readonly logEntries: number; readonly logBytes: number } {
    return { logEntries: this.#entries, logBytes: this.#bytes };
  }

  shareOf(owner: LogOwner): Share {
    const isAccount = owner.holder.startsWith('@');
    const name = isAccount ? owner.holder : owner.name;
    const known = this.#shares.get(name);
    if (known !== undefined) return known;
    const holder = this.#holderNamed(owner.holder);
    const share: Share = {
      name,
      holder,
      amount: 0,
      place: 0,
      oldest: undefined,
      newest: undefined,
    };
    this.#shares.set(name, share);
    holder.shares.add(share);
    return share;
  }

  #holderNamed(name: string): Holder {
    const known = this.#holders.get(name);
    if (known !== undefined) return known;
    const holder: Holder = { name, amount: 0, place: 0, shares: new Ranking() };
    this.#holders.set(name, holder);
    this.#ranking.add(holder);
    return holder;
  }

  /** Counts the bytes of a page. */
  hold(share: Share, bytes: number): void {
    this.#bytes += bytes;
    share.holder.shares.change(share, bytes);
    this.#ranking.change(share.holder, bytes);
  }

  add(entry: StoredEntry): void {
    const { share } = entry;
    entry.older = share.newest;
    if (share.newest === undefined) share.oldest = entry;
    else share.newest.newer = entry;
    share.newest = entry;
    this.#entries += 1;
    this.hold(share, entryOverheadBytes);
    // The oldest entry of a share is also the oldest of its own log.
    while (this.#bytes > this.#maxBytes) this.#ranking.most?.shares.most?.oldest?.log.dropOldest();
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
    this.#entries -= 1;
    this.hold(share, -entryOverheadBytes);
  }

  /** Forgets a share that has nothing left. */
  leave(share: Share): void {
    const { name, holder, oldest } = share;
    if (oldest !== undefined) return;
    this.#shares.delete(name);
    holder.shares.remove(share);
    if (holder.shares.most !== undefined) return;
    this.#holders.delete(holder.name);
    this.#ranking.remove(holder);
  }
}

export class MemoryLog {
  readonly #store: LogStore;
  readonly #owner: LogOwner;
  readonly #maxEntries: number;
  /** The oldest first. */
  readonly #entries: StoredEntry[] = [];
  /** Where the next entry goes if it fits. */
  #page: Page | undefined;
  /** What all pages take. */
  #pageBytes = 0;
  readonly #onChange: () => void;
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
    const emptied = this.#entries.length < this.#maxEntries ? undefined : this.#take(0);
    const json = JSON.stringify(item);
    const itemLength = Buffer.byteLength(json);
    const length = itemLength + Buffer.byteLength(bytes);
    const share = this.#store.shareOf(this.#owner);
    const page = this.#pageFor(length, share, emptied);
    const { room, end: start } = page;
    room.write(json, start);
    if (typeof bytes === 'string') room.write(bytes, start + itemLength);
    else room.set(bytes, start + itemLength);
    page.end += length;
    page.entries += 1;
    this.#lastSequence += 1;
    const entry: StoredEntry = {
      log: this,
      share,
      sequence: this.#lastSequence,
      page,
      start,
      itemLength,
      length,
      older: undefined,
      newer: undefined,
    };
    this.#entries.push(entry);
    this.#store.add(entry);
    this.#onChange();
    return entry.sequence;
  }

  dropOldest(): void {
    this.#drop(0);
  }

  #drop(place: number): void {
    const share = this.#entries[place]?.share;
    if (share === undefined) return;
    this.#release(this.#take(place), share);
    this.#store.leave(share);
  }

  /** Takes an entry out, and gives its page if nothing else is in it, which counts until it is released. */
  #take(place: number): Page | undefined {
    const entry = place === 0 ? this.#entries.shift() : this.#entries.splice(place, 1)[0];
    if (entry === undefined) return undefined;
    this.#store.remove(entry);
    const { page } = entry;
    page.entries -= 1;
    if (page.entries > 0) return undefined;
    if (page === this.#page) this.#page = undefined;
    return page;
  }

  /** The page that is being filled, an emptied one where that fits without waste, or else a new one. */
  #pageFor(length: number, share: Share, emptied: Page | undefined): Page {
    const filled = this.#page;
    if (filled !== undefined && length <= filled.room.length - filled.end) {
      this.#release(emptied, share);
      return filled;
    }
    const wanted = this.#wantedBytes(length);
    let page = emptied;
    if (page === undefined || page.room.length < length || page.room.length > 2 * wanted) {
      this.#release(emptied, share);
      page = { room: Buffer.allocUnsafeSlow(wanted), end: 0, entries: 0 };
      this.#hold(wanted + pageOverheadBytes, share);
    }
    page.end = 0;
    this.#page = page;
    return page;
  }

  /** A large entry has a page of its own; those of small ones grow with what the log holds. */
  #wantedBytes(length: number): number {
    if (length > maxSharedBytes) return inSteps(length);
    return inSteps(Math.max(length, Math.min(this.#pageBytes / 4, maxPageBytes)));
  }

  #release(page: Page | undefined, share: Share): void {
    if (page !== undefined) this.#hold(-page.room.length - pageOverheadBytes, share);
  }

  #hold(bytes: number, share: Share): void {
    this.#pageBytes += bytes;
    this.#store.hold(share, bytes);
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
    this.#drop(place);
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

/** A larger entry shares its page with no other. */
const maxSharedBytes = 4 * 1024;
const maxPageBytes = 16 * 1024;

function inSteps(bytes: number): number {
  return Math.ceil(bytes / roomStepBytes) * roomStepBytes;
}

/** The bytes are a copy: the room they were in may soon be another entry's. */
function unpack({ sequence, page, start, itemLength, length }: StoredEntry): LogEntry<unknown> {
  const { room } = page;
  const bytesStart = start + itemLength;
  const bytes =
    itemLength === length ? noBytes : Buffer.from(room.subarray(bytesStart, start + length));
  return { sequence, item: JSON.parse(room.toString('utf8', start, bytesStart)), bytes };
}
