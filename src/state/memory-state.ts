/** The state in this process's memory: every operation is synchronous, which makes it atomic. */

import { LogStore, MemoryLog } from './memory-log.js';
import type { Change, Clock, Log, LogEntry, LogSpace, Sandbox, Space, State } from './state.js';

interface Entry {
  value: unknown;
  expiresAtMs: number;
  /** Made when first used. */
  log: MemoryLog | undefined;
}

/** Creation order is the map's insertion order, so the first key is always the oldest. */
type Entries = Map<string, Entry>;

/** How many of the oldest entries one write looks at for expired ones to drop. */
const sweepPerWrite = 2;

/** `maxLogBytes` bounds what all logs hold together. */
export function createMemoryState(clock: Clock, maxLogBytes = Number.POSITIVE_INFINITY): State {
  const sandboxes = new Map<string, Map<string, Entries>>();
  const logStore = new LogStore(maxLogBytes);
  /** By space and key, the sandbox that has the key. */
  const holders = new Map<string, Map<string, string>>();

  function sandbox(name: string): Sandbox {
    function entriesOf(space: Space<unknown>): Entries | undefined {
      return sandboxes.get(name)?.get(space.name);
    }

    function entriesToWrite(space: Space<unknown>): Entries {
      return childMap(childMap(sandboxes, name), space.name);
    }

    function liveEntry(space: Space<unknown>, key: string): Entry | undefined {
      const entry = entriesOf(space)?.get(key);
      return isLive(entry, clock()) ? entry : undefined;
    }

    function add(space: Space<unknown>, key: string, entry: Entry, nowMs: number): void {
      const entries = entriesToWrite(space);
      remove(space, entries, key);
      makeRoom(space, entries, nowMs);
      entries.set(key, entry);
      if (space.isFindable) childMap(holders, space.name).set(key, name);
    }

    function remove(space: Space<unknown>, entries: Entries, key: string): void {
      const entry = entries.get(key);
      if (entry === undefined) return;
      entries.delete(key);
      entry.log?.close();
      if (space.isFindable) holders.get(space.name)?.delete(key);
    }

    /** Leaves room for one more key, and sweeps a little so that ended entries do not pile up. */
    function makeRoom(space: Space<unknown>, entries: Entries, nowMs: number): void {
      let looked = 0;
      for (const [key, entry] of entries) {
        if (!isLive(entry, nowMs) || entries.size >= space.maxKeys) remove(space, entries, key);
        else if (++looked >= sweepPerWrite) break;
      }
    }

    return {
      name,
      now: clock,

      read<Value>(space: Space<Value>, key: string) {
        return liveEntry(space, key)?.value as Value | undefined;
      },

      update<Value, Result>(
        space: Space<Value>,
        key: string,
        change: (current: Value | undefined, nowMs: number) => Change<Value, Result>,
      ) {
        const nowMs = clock();
        const existing = entriesOf(space)?.get(key);
        const current = isLive(existing, nowMs) ? existing : undefined;
        const changed = change(current?.value as Value | undefined, nowMs);
        const { value, expiresAtMs = Number.POSITIVE_INFINITY, result } = changed;
        if (value === undefined) {
          if (existing !== undefined) remove(space, entriesToWrite(space), key);
        } else if (current === undefined) {
          add(space, key, { value, expiresAtMs, log: undefined }, nowMs);
        } else {
          current.value = value;
          current.expiresAtMs = expiresAtMs;
        }
        return result;
      },

      entries<Value>(space: Space<Value>) {
        const nowMs = clock();
        const live: [string, Value][] = [];
        for (const [key, entry] of entriesOf(space) ?? []) {
          if (isLive(entry, nowMs)) live.push([key, entry.value as Value]);
        }
        return live;
      },

      log<Item>(space: LogSpace<unknown, Item>, key: string): Log<Item> {
        function log(): MemoryLog | undefined {
          const entry = liveEntry(space, key);
          if (entry === undefined) return undefined;
          entry.log ??= new MemoryLog(logStore, space.maxEntries);
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
    };
  }

  return {
    sandbox,
    sandboxHolding(space, key) {
      const name = holders.get(space.name)?.get(key);
      if (name === undefined) return undefined;
      const holder = sandbox(name);
      return holder.read(space, key) === undefined ? undefined : holder;
    },
    isReady: () => true,
    close() {
      for (const spaces of sandboxes.values()) {
        for (const entries of spaces.values()) {
          for (const entry of entries.values()) entry.log?.close();
        }
      }
      sandboxes.clear();
      holders.clear();
    },
  };
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
