/** What a sandbox in this process's memory holds under its keys. */

import { isListed, type LiveEntries, listLive, noEntries } from '../live-entries.js';
import { heapBytes, textBytes } from '../rows/heap-bytes.js';
import type { Base, Write } from '../rows/overlay.js';
import type { Space } from '../state.js';
import type { MemoryLog } from './memory-log.js';
import type { Contents } from './memory-sandboxes.js';

export interface Entry {
  value: unknown;
  expiresAtMs: number;
  bytes: number;
  /** Made when first used. */
  log: MemoryLog | undefined;
}

/** Creation order is the map's insertion order, so the first key is always the oldest. */
export class Entries extends Map<string, Entry> {
  /** What was listed last, until something changes. */
  listed: LiveEntries | undefined = undefined;
}

/** An entry and its place in a map, which is largest when the map has just grown. */
const entryOverheadBytes = 128;
/** A second place, in the map that finds its sandbox. */
const findableBytes = 64;
/** A log without entries. */
const logBytes = 350;
/** The map of a space. */
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

export function isLive(entry: Entry | undefined, nowMs: number): entry is Entry {
  return entry !== undefined && nowMs < entry.expiresAtMs;
}

/** What a sandbox holds at one moment; what was never written to holds nothing. */
export class Moment implements Base {
  readonly contents: Contents<Entries> | undefined;
  readonly nowMs: number;

  constructor(contents: Contents<Entries> | undefined, nowMs: number) {
    this.contents = contents;
    this.nowMs = nowMs;
  }

  find(space: Space<unknown>, key: string): Entry | undefined {
    const entry = this.contents?.spaces.get(space.name)?.get(key);
    return isLive(entry, this.nowMs) ? entry : undefined;
  }

  list(space: Space<unknown>): LiveEntries['entries'] {
    const entries = this.contents?.spaces.get(space.name);
    if (entries === undefined) return noEntries;
    if (!isListed(entries.listed, this.nowMs)) entries.listed = listLive(entries, this.nowMs);
    return entries.listed.entries;
  }

  hasRoom(space: Space<unknown>, keys: number): boolean {
    const held = this.contents?.spaces.get(space.name)?.size ?? 0;
    return held + keys <= space.maxKeys || this.list(space).length + keys <= space.maxKeys;
  }
}
