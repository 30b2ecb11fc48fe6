import type { Clock } from '#base/awaitable.js';
import { BaseSandbox } from '../base-sandbox.js';
import { ownText } from '../rows/heap-bytes.js';
import { Overlay, type Write } from '../rows/overlay.js';
import {
  type Log,
  type LogEntry,
  type LogSpace,
  noRoom,
  type Sandbox,
  type SandboxStatus,
  type Space,
  type Transaction,
} from '../state.js';
import { emptyLog, forever, isPast, type Wakes } from '../wakes.js';
import type { MemoryChanges } from './memory-changes.js';
import {
  type Contents,
  Entries,
  type Entry,
  entryBytes,
  Moment,
  spaceBytes,
} from './memory-entries.js';
import { type LogStore, MemoryLog } from './memory-log.js';
import type { MemorySandboxes } from './memory-sandboxes.js';

export interface MemoryStore {
  readonly clock: Clock;
  readonly changes: MemoryChanges;
  readonly sandboxes: MemorySandboxes;
  readonly logs: LogStore;
  readonly wakes: Wakes;
  /** By space and key, the sandbox that has the key. */
  readonly holders: Map<string, Map<string, string>>;
}

/** Number of the oldest entries that one write checks for expiry. */
const sweepPerWrite = 2;

export class MemorySandbox extends BaseSandbox implements Sandbox {
  readonly #store: MemoryStore;

  constructor(name: string, store: MemoryStore, caller?: () => string) {
    super(name, caller);
    this.#store = store;
  }

  now(): number {
    return this.#moment().nowMs;
  }

  read<Value>(space: Space<Value>, key: string): Value | undefined {
    return this.#moment().find(space, key)?.value as Value | undefined;
  }

  transact<Result>(change: (view: Transaction) => Result): Result {
    const moment = this.#moment();
    const view = new Overlay(moment, moment.nowMs);
    const result = view.run(change);
    this.#commit(moment, view);
    return result;
  }

  entries<Value>(space: Space<Value>): readonly (readonly [string, Value])[] {
    return this.#moment().list(space) as readonly (readonly [string, Value])[];
  }

  log<Item>(space: LogSpace<unknown, Item>, key: string): Log<Item> {
    const log = () => this.#logAt(this.#moment(), space, key);
    const status = () => log()?.status() ?? (space.isAlwaysThere ? emptyLog : undefined);
    return {
      append: (item, bytes) => log()?.append(item, bytes),
      status,
      newest: (limit) => (log()?.newest(limit) ?? []) as LogEntry<Item>[],
      after: (sequence, limit) => (log()?.after(sequence, limit) ?? []) as LogEntry<Item>[],
      before: (sequence, limit) => (log()?.before(sequence, limit) ?? []) as LogEntry<Item>[],
      clear() {
        const found = log();
        found?.clear();
        return found !== undefined;
      },
      remove: (sequence) => log()?.remove(sequence) ?? false,
      waitPast: (sequence, signal) =>
        this.#store.wakes.waitUntil(
          logId(this.name, space, key),
          () => isPast(space, status(), sequence) || forever,
          signal,
        ),
    };
  }

  status(): SandboxStatus | undefined {
    const { contents } = this.#moment();
    if (contents === undefined) return undefined;
    const { createdAtMs, lastUsedAtMs, clockOffsetMs } = contents;
    return { createdAtMs, lastUsedAtMs, clockOffsetMs };
  }

  setClockOffset(offsetMs: number): void {
    const contents = this.#store.sandboxes.roomFor(this, 0);
    this.#store.changes.before(contents);
    contents.clockOffsetMs = offsetMs;
  }

  reset(kept: readonly Space<unknown>[] = []): void {
    this.#store.sandboxes.reset(this.name, new Set(kept.map(({ name }) => name)));
  }

  #moment(): Moment {
    const { clock, sandboxes } = this.#store;
    const contents = sandboxes.find(this.name);
    return new Moment(contents, clock() + (contents?.clockOffsetMs ?? 0));
  }

  #logAt(moment: Moment, space: LogSpace<unknown, unknown>, key: string): MemoryLog | undefined {
    const entry = moment.find(space, key);
    if (entry === undefined) return undefined;
    entry.log ??= newLog(this.#store, moment.contents as Contents, space, key);
    entry.log.limitTo(space.maxEntries);
    return entry.log;
  }

  /** Everything that can fail comes before the first write. */
  #commit({ contents: found, nowMs }: Moment, view: Overlay): void {
    const { sandboxes } = this.#store;
    const writes = view.writes();
    const sizes: number[] = [];
    let growth = 0;
    let isGrowing = false;
    let newSpaces: Set<string> | undefined;
    for (const write of writes) {
      const { space, key, value } = write;
      const entries = found?.spaces.get(space.name);
      const bytes = value === undefined ? 0 : entryBytes(write);
      sizes.push(bytes);
      growth += bytes - (entries?.get(key)?.bytes ?? 0);
      isGrowing ||= value !== undefined;
      if (entries === undefined && value !== undefined) {
        newSpaces ??= new Set();
        newSpaces.add(space.name);
      }
    }
    growth += (newSpaces?.size ?? 0) * spaceBytes;
    const contents = isGrowing ? sandboxes.roomFor(this, Math.max(0, growth), found) : found;
    if (contents === undefined) return;
    if (writes.length > 0) this.#store.changes.before(contents);
    for (const [index, write] of writes.entries()) {
      const bytes = sizes[index] as number;
      if (write.value === undefined) this.#remove(contents, write.space, write.key);
      else if (write.isNew) this.#add(contents, write, bytes, nowMs);
      else this.#change(contents, write, bytes);
    }
    if (view.appends.length === 0) return;
    const written = new Moment(contents, nowMs);
    for (const { space, key, item, text } of view.appends) {
      this.#logAt(written, space, key)?.append(item, text);
    }
  }

  /** Adds an entry; an existing entry of this key has expired. */
  #add(contents: Contents, write: Write, bytes: number, nowMs: number): void {
    const { space, key, value, expiresAtMs } = write;
    const { sandboxes, holders } = this.#store;
    this.#remove(contents, space, key);
    let entries = contents.spaces.get(space.name);
    if (entries === undefined) {
      entries = new Entries();
      contents.spaces.set(space.name, entries);
      sandboxes.addBytes(contents, spaceBytes);
    }
    this.#makeRoom(contents, space, entries, nowMs);
    const kept = ownText(key);
    entries.set(kept, { value, expiresAtMs, bytes, log: undefined });
    entries.listed = undefined;
    if (space.isFindable) noteHolder(holders, space.name, kept, this.name);
    sandboxes.addBytes(contents, bytes);
  }

  #change(contents: Contents, write: Write, bytes: number): void {
    const entries = contents.spaces.get(write.space.name) as Entries;
    const entry = entries.get(write.key) as Entry;
    this.#store.sandboxes.addBytes(contents, bytes - entry.bytes);
    entry.value = write.value;
    entry.expiresAtMs = write.expiresAtMs;
    entry.bytes = bytes;
    entries.listed = undefined;
  }

  #remove(contents: Contents, space: Space<unknown>, key: string): void {
    const entries = contents.spaces.get(space.name);
    const entry = entries?.get(key);
    if (entries === undefined || entry === undefined) return;
    entries.delete(key);
    entries.listed = undefined;
    entry.log?.clear();
    if (space.isFindable) this.#store.holders.get(space.name)?.delete(key);
    this.#store.sandboxes.addBytes(contents, -entry.bytes);
  }

  /** Makes room for another key, and drops some expired ones. */
  #makeRoom(contents: Contents, space: Space<unknown>, entries: Entries, nowMs: number): void {
    const isFull = () => entries.size >= space.maxKeys;
    let looked = 0;
    for (const [key, entry] of entries) {
      if (nowMs >= entry.expiresAtMs || (isFull() && !space.isKeptWhenFull)) {
        this.#remove(contents, space, key);
      } else if (!isFull() && ++looked >= sweepPerWrite) {
        return;
      }
    }
    if (isFull()) throw noRoom(space);
  }
}

export function noteHolder(
  holders: MemoryStore['holders'],
  spaceName: string,
  key: string,
  sandboxName: string,
): void {
  const holding = holders.get(spaceName) ?? new Map<string, string>();
  holders.set(spaceName, holding.set(key, sandboxName));
}

/** A function, so that a log does not keep its sandbox in memory. */
export function newLog(
  { logs, wakes }: MemoryStore,
  sandbox: Contents,
  space: LogSpace<unknown, unknown>,
  key: string,
): MemoryLog {
  const id = logId(sandbox.name, space, key);
  return new MemoryLog(logs, sandbox, space, () => wakes.wake(id));
}

function logId(sandbox: string, { name }: LogSpace<unknown, unknown>, key: string): string {
  return `${sandbox}|${name}|${key}`;
}
