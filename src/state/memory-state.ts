/** The state in this process's memory: every operation is synchronous, which makes it atomic. */

import type { Change, Clock, Sandbox, Space, State } from './state.js';

interface Entry {
  readonly value: unknown;
  readonly expiresAtMs: number;
}

/** Creation order is the map's insertion order, so the first key is always the oldest. */
type Entries = Map<string, Entry>;

/** How many of the oldest entries one write looks at for expired ones to drop. */
const sweepPerWrite = 2;

export function createMemoryState(clock: Clock): State {
  const sandboxes = new Map<string, Map<string, Entries>>();

  return {
    sandbox: (name) => memorySandbox(name, sandboxes, clock),
    isReady: () => true,
    close: () => sandboxes.clear(),
  };
}

function memorySandbox(
  name: string,
  sandboxes: Map<string, Map<string, Entries>>,
  clock: Clock,
): Sandbox {
  function entriesOf(space: Space<unknown>): Entries | undefined {
    return sandboxes.get(name)?.get(space.name);
  }

  function entriesToWrite(space: Space<unknown>): Entries {
    return childMap(childMap(sandboxes, name), space.name);
  }

  return {
    name,
    now: clock,

    read<Value>(space: Space<Value>, key: string) {
      const entry = entriesOf(space)?.get(key);
      return isLive(entry, clock()) ? (entry.value as Value) : undefined;
    },

    update<Value, Result>(
      space: Space<Value>,
      key: string,
      change: (current: Value | undefined, nowMs: number) => Change<Value, Result>,
    ) {
      const nowMs = clock();
      const existing = entriesOf(space)?.get(key);
      const current = isLive(existing, nowMs) ? existing : undefined;
      const { value, expiresAtMs, result } = change(current?.value as Value | undefined, nowMs);
      if (value === undefined) {
        if (existing !== undefined) entriesToWrite(space).delete(key);
        return result;
      }
      const entries = entriesToWrite(space);
      if (current === undefined) {
        entries.delete(key);
        makeRoom(entries, space.maxKeys, nowMs);
      }
      entries.set(key, { value, expiresAtMs: expiresAtMs ?? Number.POSITIVE_INFINITY });
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
  };
}

function isLive(entry: Entry | undefined, nowMs: number): entry is Entry {
  return entry !== undefined && nowMs < entry.expiresAtMs;
}

/** Leaves room for one more key, and sweeps a little so that ended entries do not pile up. */
function makeRoom(entries: Entries, maxKeys: number, nowMs: number): void {
  let looked = 0;
  for (const [key, entry] of entries) {
    if (!isLive(entry, nowMs) || entries.size >= maxKeys) entries.delete(key);
    else if (++looked >= sweepPerWrite) break;
  }
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
