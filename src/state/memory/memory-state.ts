/** The state in this process's memory: every operation is synchronous, which makes it atomic. */

import { heapBytes, ownCopy, textBytes } from '../heap-bytes.js';
import { isListed, type LiveEntries, listLive, noEntries } from '../live-entries.js';
import {
  type Change,
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
} from '../state.js';
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
  /** By space and key, the sandbox that has the key. */
  const holders = new Map<string, Map<string, string>>();
  const sandboxes = new MemorySandboxes<Entries>(clock, limits, forget);

  /** What a dropped sandbox had: its logs let go of who waits, its keys are not found any more. */
  function forget({ spaces }: Contents<Entries>): void {
    for (const [spaceName, entries] of spaces) {
      const holding = holders.get(spaceName);
      for (const [key, entry] of entries) {
        entry.log?.close();
        holding?.delete(key);
      }
    }
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

    function remove(contents: Contents<Entries>, space: Space<unknown>, key: string): void {
      const entries = contents.spaces.get(space.name);
      const entry = entries?.get(key);
      if (entries === undefined || entry === undefined) return;
      entries.delete(key);
      entries.listed = undefined;
      entry.log?.close();
      if (space.isFindable) holders.get(space.name)?.delete(key);
      sandboxes.addBytes(contents, -entry.bytes);
    }

    function add(space: Space<unknown>, key: string, entry: Entry): void {
      const isFirst = !sandboxes.find(name)?.spaces.has(space.name);
      const contents = sandboxes.roomFor(name, entry.bytes + (isFirst ? spaceBytes : 0));
      remove(contents, space, key);
      if (isFirst) {
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

      update<Value, Result>(
        space: Space<Value>,
        key: string,
        change: (current: Value | undefined, nowMs: number) => Change<Value, Result>,
      ) {
        const contents = sandboxes.find(name);
        const nowMs = nowIn(contents);
        const entries = contents?.spaces.get(space.name);
        const existing = entries?.get(key);
        const current = isLive(existing, nowMs) ? existing : undefined;
        const changed = change(current?.value as Value | undefined, nowMs);
        const { value, expiresAtMs = Number.POSITIVE_INFINITY, result } = changed;
        if (value === undefined) {
          if (contents !== undefined) remove(contents, space, key);
        } else if (contents === undefined || entries === undefined || current === undefined) {
          const bytes = entryBytes(space, key, changed);
          add(space, key, { value, expiresAtMs, bytes, log: undefined });
        } else {
          const grownBytes = entryBytes(space, key, changed) - current.bytes;
          if (grownBytes > 0) sandboxes.roomFor(name, grownBytes);
          if (grownBytes !== 0) sandboxes.addBytes(contents, grownBytes);
          if (value !== current.value || expiresAtMs !== current.expiresAtMs) {
            entries.listed = undefined;
          }
          current.value = value;
          current.expiresAtMs = expiresAtMs;
          current.bytes += grownBytes;
        }
        return result;
      },

      entries<Value>(space: Space<Value>) {
        const contents = sandboxes.find(name);
        const entries = contents?.spaces.get(space.name);
        if (entries === undefined) return noEntries;
        const nowMs = nowIn(contents);
        if (!isListed(entries.listed, nowMs)) entries.listed = listLive(entries, nowMs);
        return entries.listed.entries as readonly (readonly [string, Value])[];
      },

      log<Item>(space: LogSpace<unknown, Item>, key: string): Log<Item> {
        function log(): MemoryLog | undefined {
          const entry = liveEntry(space, key);
          if (entry === undefined) return undefined;
          entry.log ??= new MemoryLog(logStore, holderOf(name), space.maxEntries);
          return entry.log;
        }
        return {
          append: (item, bytes) => log()?.append(item, bytes),
          status: () => log()?.status(),
          newest: (limit) => (log()?.newest(limit) ?? []) as LogEntry<Item>[],
          after: (sequence, limit) => (log()?.after(sequence, limit) ?? []) as LogEntry<Item>[],
          clear() {
            const found = log();
            found?.clear();
            return found !== undefined;
          },
          waitPast: (sequence, signal) => log()?.waitPast(sequence, signal) ?? Promise.resolve(),
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

  return {
    limits,
    sandbox,
    resetOwned: (owner) => sandboxes.dropOwned(owner),
    sandboxHolding(space, key) {
      const name = holders.get(space.name)?.get(key);
      if (name === undefined) return undefined;
      const holder = sandbox(name);
      return holder.read(space, key) === undefined ? undefined : holder;
    },
    sizes: () => ({ ...sandboxes.sizes(), ...logStore.sizes() }),
    isReady: () => true,
    close: () => sandboxes.dropAll(),
  };
}

function entryBytes(
  space: Space<unknown>,
  key: string,
  { value, bytes }: Change<unknown, unknown>,
) {
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
