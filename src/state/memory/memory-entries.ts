/** Contents of a sandbox in memory. */

import { type LiveEntries, listLive, noEntries } from '../live-entries.js';
import { heapBytes, textBytes } from '../rows/heap-bytes.js';
import type { Base, Write } from '../rows/overlay.js';
import { groupOf, isBoard, type Space } from '../state.js';
import type { Share } from './holdings.js';
import type { MemoryLog } from './memory-log.js';

export interface Entry {
  value: unknown;
  expiresAtMs: number;
  bytes: number;
  log: MemoryLog | undefined;
}

/** Entries of a space, the oldest first. */
export class Entries extends Map<string, Entry> {
  listed: LiveEntries | undefined = undefined;
}

export class Contents {
  readonly name: string;
  /** The sandbox's own name if it is permanent. */
  readonly holder: string;
  readonly group: string;
  createdAtMs: number;
  lastUsedAtMs: number;
  clockOffsetMs = 0;
  readonly spaces = new Map<string, Entries>();
  readonly bytes: Share;
  readonly count: Share;

  constructor(name: string, holder: string, nowMs: number) {
    this.name = name;
    this.holder = holder;
    this.group = groupOf(name, holder);
    this.createdAtMs = nowMs;
    this.lastUsedAtMs = nowMs;
    const share = { name, holder, group: this.group, isLast: isBoard(name), amount: 0, place: 0 };
    this.bytes = share;
    this.count = { ...share };
  }
}

/** Size of an entry and its place in a map, which is largest after the map has grown. */
const entryOverheadBytes = 128;
/** Size of a second place, in the map that finds its sandbox. */
const findableBytes = 64;
const logBytes = 350;
export const spaceBytes = 250;

export function entryBytes({ space, key, value, bytes }: Write): number {
  return (
    entryOverheadBytes +
    textBytes(key) +
    (bytes ?? heapBytes(value)) +
    (space.isFindable ? findableBytes : 0) +
    ('maxEntries' in space ? logBytes : 0)
  );
}

/** A sandbox at one moment; it has no contents until the first write. */
export class Moment implements Base {
  readonly contents: Contents | undefined;
  readonly nowMs: number;

  constructor(contents: Contents | undefined, nowMs: number) {
    this.contents = contents;
    this.nowMs = nowMs;
  }

  find(space: Space<unknown>, key: string): Entry | undefined {
    const entry = this.contents?.spaces.get(space.name)?.get(key);
    return entry !== undefined && this.nowMs < entry.expiresAtMs ? entry : undefined;
  }

  list(space: Space<unknown>): LiveEntries['entries'] {
    const entries = this.contents?.spaces.get(space.name);
    if (entries === undefined) return noEntries;
    entries.listed = listLive(entries.listed, entries, this.nowMs);
    return entries.listed.entries;
  }

  hasRoom(space: Space<unknown>, keys: number): boolean {
    const held = this.contents?.spaces.get(space.name)?.size ?? 0;
    return held + keys <= space.maxKeys || this.list(space).length + keys <= space.maxKeys;
  }
}
