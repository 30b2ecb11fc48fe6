/** The state in this process's memory: every operation is synchronous, which makes it atomic. */

import { heapBytes, ownCopy, textBytes } from '../heap-bytes.js';
import { isListed, type LiveEntries, listLive, noEntries } from '../live-entries.js';
import { type Base, Overlay, updateIn, type Write } from '../overlay.js';
import {
  type Clock,
  defaultSandboxLimits,
  holderOf,
  type Log,
  type LogEntry,
  type LogSpace,
  noRoom,
  type Sandbox,
  type SandboxLimits,
  type Space,
  type State,
  type Transaction,
} from '../state.js';
import { emptyLog, forever, isPast, Wakes } from '../wakes.js';
import { LogStore, MemoryLog } from './memory-log.js';
import { type Contents, MemorySandboxes } from './memory-sandboxes.js';

interface Entry {
  value: unknown;
  expiresAtMs: number;
  bytes: number;
  /** Made when first used. */
  log: MemoryLog | undefined;
}

/** Creation order is the map's insertion order, so the first key is always the oldest. */
class Entries extends Map<string, Entry> {
  /** What was listed last, until something changes. */
  listed: LiveEntries | undefined;
}

export interface MemoryStateOptions {
  readonly clock: Clock;
  /** What all logs hold together. */
  readonly maxLogBytes?: number;
  readonly limits?: SandboxLimits;
}

/** An entry and its place in a map, which is largest when the map has just grown. */
const entryOverheadBytes = 128;
/** A second place, in the map that finds its sandbox. */
const findableBytes = 64;
/** A log without entries. */
const logBytes = 350;
/** The map of a space. */
const spaceBytes = 250;

/** How many of the oldest entries one write looks at for expired ones to drop. */
const sweepPerWrite = 2;

export function createMemoryState({
  clock,
  maxLogBytes = Number.POSITIVE_INFINITY,
  limits = defaultSandboxLimits,
}: MemoryStateOptions): State {
  const logStore = new LogStore(maxLogBytes);
  const wakes = new Wakes();
  /** By space and key, the sandbox that has the key. */
  const holders = new Map<string, Map<string, string>>();
  const sandboxes = new MemorySandboxes<Entries>(clock, limits, forget);

  /** What a dropped sandbox had: its logs let go of who waits, its keys are not found any more. */
  function forget({ spaces }: Contents<Entries>): void {
    for (const [spaceName, entries] of spaces) {
      const holding = holders.get(spaceName);
      for (const [key, entry] of entries) {
        entry.log?.clear();
        holding?.delete(key);
      }
    }
  }

  /** Made out here, so that a log does not keep in memory all that one call of `sandbox` made. */
  function newLog(name: string, space: LogSpace<unknown, unknown>, key: string): MemoryLog {
    return new MemoryLog(logStore, holderOf(name), space, () =>
      wakes.wake(logId(name, space, key)),
    );
  }

  function sandbox(name: string): Sandbox {
    function nowIn(contents: Contents<Entries> | undefined): number {
      return clock() + (contents?.clockOffsetMs ?? 0);
    }

    function liveEntry(space: Space<unknown>, key: string): Entry | undefined {
      const contents = sandboxes.find(name);
      const entry = contents?.spaces.get(space.name)?.get(key);
      return isLive(entry, nowIn(contents)) ? entry : undefined;
    }

    function logAt(space: LogSpace<unknown, unknown>, key: string): MemoryLog | undefined {
      const entry = liveEntry(space, key);
      if (entry === undefined) return undefined;
      entry.log ??= newLog(name, space, key);
      return entry.log;
    }

    function transact<Result>(change: (view: Transaction) => Result): Result {
      const contents = sandboxes.find(name);
      const nowMs = nowIn(contents);
      const view = new Overlay(baseOf(contents, nowMs), nowMs);
      const result = view.run(change);
      commit(contents, view);
      return result;
    }

    function remove(contents: Contents<Entries>, space: Space<unknown>, key: string): void {
      const entries = contents.spaces.get(space.name);
      const entry = entries?.get(key);
      if (entries === undefined || entry === undefined) return;
      entries.delete(key);
      entries.listed = undefined;
      entry.log?.clear();
      if (space.isFindable) holders.get(space.name)?.delete(key);
      sandboxes.addBytes(contents, -entry.bytes);
    }

    /** What stands before the change can only be over. */
    function add(contents: Contents<Entries>, { space, key }: Write, entry: Entry): void {
      remove(contents, space, key);
      if (!contents.spaces.has(space.name)) {
        contents.spaces.set(space.name, new Entries());
        sandboxes.addBytes(contents, spaceBytes);
      }
      const entries = contents.spaces.get(space.name) as Entries;
      makeRoom(contents, space, entries);
      const kept = ownCopy(key);
      entries.set(kept, entry);
      entries.listed = undefined;
      if (space.isFindable) childMap(holders, space.name).set(kept, name);
      sandboxes.addBytes(contents, entry.bytes);
    }

    function change(contents: Contents<Entries>, { space, key }: Write, changed: Entry): void {
      const entries = contents.spaces.get(space.name) as Entries;
      const entry = entries.get(key) as Entry;
      sandboxes.addBytes(contents, changed.bytes - entry.bytes);
      entry.value = changed.value;
      entry.expiresAtMs = changed.expiresAtMs;
      entry.bytes = changed.bytes;
      entries.listed = undefined;
    }

    function baseOf(contents: Contents<Entries> | undefined, nowMs: number): Base {
      return {
        find(space, key) {
          const entry = contents?.spaces.get(space.name)?.get(key);
          return isLive(entry, nowMs) ? entry : undefined;
        },
        list: (space) => list(contents, space, nowMs),
        hasRoom(space, keys) {
          const held = contents?.spaces.get(space.name)?.size ?? 0;
          if (held + keys <= space.maxKeys) return true;
          return list(contents, space, nowMs).length + keys <= space.maxKeys;
        },
      };
    }

    function list(contents: Contents<Entries> | undefined, space: Space<unknown>, nowMs: number) {
      const entries = contents?.spaces.get(space.name);
      if (entries === undefined) return noEntries;
      if (!isListed(entries.listed, nowMs)) entries.listed = listLive(entries, nowMs);
      return entries.listed.entries;
    }

    /** All that can fail comes before anything is written. */
    function commit(found: Contents<Entries> | undefined, view: Overlay): void {
      const writes = view.writes();
      let growth = 0;
      let isGrowing = false;
      const newSpaces = new Set<string>();
      const changed = writes.map((write): Entry => {
        const { space, key, value, expiresAtMs } = write;
        const entries = found?.spaces.get(space.name);
        const bytes = value === undefined ? 0 : entryBytes(write);
        growth += bytes - (entries?.get(key)?.bytes ?? 0);
        isGrowing ||= value !== undefined;
        if (entries === undefined && value !== undefined) newSpaces.add(space.name);
        return { value, expiresAtMs, bytes, log: undefined };
      });
      growth += newSpaces.size * spaceBytes;
      const contents = isGrowing ? sandboxes.roomFor(name, Math.max(0, growth)) : found;
      if (contents === undefined) return;
      for (const [place, write] of writes.entries()) {
        const entry = changed[place] as Entry;
        if (write.value === undefined) remove(contents, write.space, write.key);
        else if (write.isNew) add(contents, write, entry);
        else change(contents, write, entry);
      }
      for (const { space, key, item, text } of view.appends) {
        logAt(space, key)?.append(item, text);
      }
    }

    /** Leaves room for one more key, and sweeps a little so that ended entries do not pile up. */
    function makeRoom(contents: Contents<Entries>, space: Space<unknown>, entries: Entries): void {
      const nowMs = nowIn(contents);
      const isFull = () => entries.size >= space.maxKeys;
      let looked = 0;
      for (const [key, entry] of entries) {
        if (!isLive(entry, nowMs) || (isFull() && !space.isKeptWhenFull)) {
          remove(contents, space, key);
        } else if (!isFull() && ++looked >= sweepPerWrite) {
          return;
        }
      }
      if (isFull()) throw noRoom(space);
    }

    return {
      name,

      now: () => nowIn(sandboxes.find(name)),

      read<Value>(space: Space<Value>, key: string) {
        return liveEntry(space, key)?.value as Value | undefined;
      },

      update: (space, key, change) => transact(updateIn(space, key, change)),

      transact,

      entries<Value>(space: Space<Value>) {
        const contents = sandboxes.find(name);
        return list(contents, space, nowIn(contents)) as readonly (readonly [string, Value])[];
      },

      log<Item>(space: LogSpace<unknown, Item>, key: string): Log<Item> {
        const log = () => logAt(space, key);
        const id = logId(name, space, key);
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
            wakes.waitUntil(id, () => isPast(space, status(), sequence) || forever, signal),
        };
      },

      status() {
        const contents = sandboxes.find(name);
        if (contents === undefined) return undefined;
        const { createdAtMs, lastUsedAtMs, clockOffsetMs } = contents;
        return { createdAtMs, lastUsedAtMs, clockOffsetMs };
      },

      setClockOffset(offsetMs) {
        sandboxes.roomFor(name, 0).clockOffsetMs = offsetMs;
      },

      reset: () => sandboxes.drop(name),
    };
  }

  function sandboxHolding(space: Space<unknown>, key: string): Sandbox | undefined {
    const name = holders.get(space.name)?.get(key);
    if (name === undefined) return undefined;
    const holder = sandbox(name);
    return holder.read(space, key) === undefined ? undefined : holder;
  }

  return {
    limits,
    sandbox,
    resetOwned: (owner) => sandboxes.dropOwned(owner),
    sandboxHolding,
    likelyHolder: sandboxHolding,
    sizes: () => ({ ...sandboxes.sizes(), ...logStore.sizes() }),
    isReady: () => true,
    close() {
      sandboxes.dropAll();
      wakes.close();
    },
  };
}

function entryBytes({ space, key, value, bytes }: Write): number {
  return (
    entryOverheadBytes +
    textBytes(key) +
    (bytes ?? heapBytes(value)) +
    (space.isFindable ? findableBytes : 0) +
    ('maxEntries' in space ? logBytes : 0)
  );
}

function isLive(entry: Entry | undefined, nowMs: number): entry is Entry {
  return entry !== undefined && nowMs < entry.expiresAtMs;
}

function logId(sandbox: string, { name }: LogSpace<unknown, unknown>, key: string): string {
  return `${sandbox}|${name}|${key}`;
}

function childMap<Child extends Map<string, unknown>>(
  parent: Map<string, Child>,
  key: string,
): Child {
  const existing = parent.get(key);
  if (existing !== undefined) return existing;
  const created = new Map() as Child;
  parent.set(key, created);
  return created;
}
