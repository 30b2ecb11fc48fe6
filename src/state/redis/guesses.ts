/** What a process takes a sandbox to hold while transactions run, and what of that they relied on. */

import { type LiveEntries, noEntries } from '../live-entries.js';
import type { Base } from '../rows/overlay.js';
import type { Space } from '../state.js';
import type { Row } from './known-rows.js';
import { idOf, type RedisStore } from './redis-store.js';

export interface Relied {
  readonly space: Space<unknown>;
  readonly rows: Map<string, Row>;
  /** Of the whole space, where all of it was listed. */
  version: number | undefined;
}

interface Loaded {
  readonly version: number;
  readonly rows: ReadonlyMap<string, Row>;
}

/** What the server has told for a commit stays with it, for what is remembered may have to go again. */
export class Guesses implements Base {
  readonly #store: RedisStore;
  readonly #name: string;
  readonly #told = new Map<string, Row>();
  readonly #loaded = new Map<string, Loaded>();
  readonly #free = new Map<string, number>();
  #relied = new Map<string, Relied>();
  #missing = new Set<Space<unknown>>();
  offsetMs = '0';
  nowMs = 0;

  constructor(store: RedisStore, name: string) {
    this.#store = store;
    this.#name = name;
  }

  get relied(): readonly Relied[] {
    return [...this.#relied.values()];
  }

  /** The transactions run, once more perhaps. */
  begin(): void {
    this.#relied = new Map();
    this.offsetMs = this.#store.guessOffset(this.#name);
    this.nowMs = this.#store.clock() + Number(this.offsetMs);
  }

  find(space: Space<unknown>, key: string): Row | undefined {
    const { rows } = this.#relyOn(space);
    const id = idOf(this.#name, space);
    const row = rows.get(key) ?? this.#told.get(`${id}|${key}`) ?? this.#store.known.guess(id, key);
    rows.set(key, row);
    return this.nowMs < row.expiresAtMs ? row : undefined;
  }

  list(space: Space<unknown>): LiveEntries['entries'] {
    const { known } = this.#store;
    const view = known.view(idOf(this.#name, space));
    const loaded = this.#loaded.get(space.name);
    const version = loaded?.version ?? view?.version;
    const rows = loaded?.rows ?? view?.rows;
    if (version !== 0 && (view === undefined || rows === undefined)) this.#missing.add(space);
    else this.#relyOn(space).version = version;
    return rows === undefined ? noEntries : known.list(view, rows, this.nowMs);
  }

  hasRoom(space: Space<unknown>, keys: number): boolean {
    return keys <= (this.#free.get(space.name) ?? Number.POSITIVE_INFINITY);
  }

  /** Loads what had to be listed and was not known; says whether there was any. */
  async load(): Promise<boolean> {
    const spaces = [...this.#missing];
    this.#missing = new Set();
    for (const space of spaces) {
      const { view } = await this.#store.check(this.#name, space);
      if (view === undefined) continue;
      const { version } = view;
      const rows = await this.#store.rows(this.#name, space, view);
      this.#loaded.set(space.name, { version, rows });
    }
    return spaces.length > 0;
  }

  /** The server has something else under a key. */
  tellRow(space: Space<unknown>, key: string, stored: string): void {
    const id = idOf(this.#name, space);
    this.#told.set(`${id}|${key}`, this.#store.known.keep(id, key, stored));
  }

  /** Others have written to a space that was listed. */
  tellSpace(space: Space<unknown>): void {
    this.#loaded.delete(space.name);
    this.#missing.add(space);
  }

  /** The server takes so many keys more in a space whose keys stay. */
  tellFree(spaceName: string, keys: number): void {
    this.#free.set(spaceName, keys);
  }

  #relyOn(space: Space<unknown>): Relied {
    const known = this.#relied.get(space.name);
    if (known !== undefined) return known;
    const relied: Relied = { space, rows: new Map(), version: undefined };
    this.#relied.set(space.name, relied);
    return relied;
  }
}
