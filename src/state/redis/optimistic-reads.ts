/**
 * Reads of transactions from this process's cache of a sandbox. The server checks them when they
 * are written.
 */

import { type LiveEntries, noEntries } from '../live-entries.js';
import type { Base } from '../rows/overlay.js';
import type { Space } from '../state.js';
import { noRow, type Row } from './known-rows.js';
import { idOf, type RedisStore } from './redis-store.js';

/** Values of a space that transactions have read. They are kept between attempts. */
export interface SpaceReads {
  readonly space: Space<unknown>;
  readonly rows: Map<string, Row>;
  whole: { readonly rows: ReadonlyMap<string, Row>; readonly version: number } | undefined;
  isMissing: boolean;
  /** Number of further keys that fit, according to the server. */
  free: number;
}

export class OptimisticReads implements Base {
  readonly #store: RedisStore;
  readonly #name: string;
  readonly #spaces = new Map<string, SpaceReads>();
  offsetMs = '0';
  nowMs = 0;

  constructor(store: RedisStore, name: string) {
    this.#store = store;
    this.#name = name;
  }

  get spaces(): readonly SpaceReads[] {
    return [...this.#spaces.values()];
  }

  begin(): void {
    this.offsetMs = this.#store.knownOffset(this.#name);
    this.nowMs = this.#store.clock() + Number(this.offsetMs);
  }

  find(space: Space<unknown>, key: string): Row | undefined {
    const { rows } = this.#readsOf(space);
    const row = rows.get(key) ?? this.#store.known.latest(idOf(this.#name, space), key);
    rows.set(key, row);
    return this.nowMs < row.expiresAtMs ? row : undefined;
  }

  list(space: Space<unknown>): LiveEntries['entries'] {
    const { known } = this.#store;
    const reads = this.#readsOf(space);
    const view = known.view(idOf(this.#name, space));
    if (reads.whole === undefined && view !== undefined) {
      const { rows = view.version === 0 ? noRows : undefined, version } = view;
      if (rows !== undefined) reads.whole = { rows, version };
    }
    reads.isMissing ||= reads.whole === undefined;
    return reads.whole === undefined ? noEntries : known.list(view, reads.whole.rows, this.nowMs);
  }

  hasRoom(space: Space<unknown>, keys: number): boolean {
    return keys <= this.#readsOf(space).free;
  }

  /** Loads spaces that were listed but not cached, and returns whether there were any. */
  async load(): Promise<boolean> {
    const missing = this.spaces.filter(({ isMissing }) => isMissing);
    for (const reads of missing) {
      const seen = await this.#store.check(this.#name);
      const view = this.#store.view(this.#name, reads.space, seen);
      const version = view?.version ?? 0;
      const rows =
        view === undefined ? noRows : await this.#store.rows(this.#name, reads.space, view);
      reads.whole = { rows, version };
      reads.isMissing = false;
      for (const key of reads.rows.keys()) reads.rows.set(key, rows.get(key) ?? noRow);
    }
    return missing.length > 0;
  }

  correctRow(space: Space<unknown>, key: string, stored: string): void {
    const row = this.#store.known.keep(idOf(this.#name, space), key, stored);
    this.#readsOf(space).rows.set(key, row);
  }

  /** Removes the cached list of a space to which others have written. */
  correctList(space: Space<unknown>): void {
    Object.assign(this.#readsOf(space), { whole: undefined, isMissing: true });
  }

  /** Stores how many more keys fit into a space that never evicts. */
  correctRoom(spaceName: string, keys: number): void {
    const reads = this.#spaces.get(spaceName);
    if (reads !== undefined) reads.free = keys;
  }

  #readsOf(space: Space<unknown>): SpaceReads {
    const known = this.#spaces.get(space.name);
    if (known !== undefined) return known;
    const free = Number.POSITIVE_INFINITY;
    const reads = { space, rows: new Map(), whole: undefined, isMissing: false, free };
    this.#spaces.set(space.name, reads);
    return reads;
  }
}

const noRows: ReadonlyMap<string, Row> = new Map();
