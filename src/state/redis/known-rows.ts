/**
 * Rows of shared sandboxes that this process has cached; they are used only after the server
 * confirms that nothing has changed.
 */

import { createBoundedCache } from '#base/bounded-cache.js';
import { type LiveEntries, listLive } from '../live-entries.js';

export interface Row {
  /** Versions of its latest and its first write; `0` for a row that does not exist. */
  readonly version: string;
  readonly created: string;
  readonly expiresAtMs: number;
  readonly json: string;
  /** Parsed once, so that values derived from the object stay valid as well. */
  readonly value: unknown;
}

type Rows = ReadonlyMap<string, Row>;

/** A period in which only this process has written to a space. */
export interface View {
  version: number;
  /** When this process last changed it; see {@link KnownRows.tick}. */
  changedAt: number;
  rows: Rows | undefined;
  weight: number;
  listed: LiveEntries | undefined;
}

interface Seen {
  readonly row: Row;
  readonly view: View | undefined;
  readonly atVersion: number;
}

const limits = { maxEntries: 5000, maxWeight: 16 * 1024 * 1024 };

/** A row from the server. An expiry of `-` means never. */
export class StoredRow implements Row {
  readonly version: string;
  readonly created: string;
  readonly expiresAtMs: number;
  readonly json: string;
  #value: unknown;

  constructor(version: string, created: string, expiry: string, json: string) {
    this.version = version;
    this.created = created;
    this.expiresAtMs = expiry === '-' ? Number.POSITIVE_INFINITY : Number(expiry);
    this.json = json;
  }

  get value(): unknown {
    this.#value ??= JSON.parse(this.json);
    return this.#value;
  }
}

export const noRow: Row = {
  version: '0',
  created: '0',
  expiresAtMs: Number.NEGATIVE_INFINITY,
  json: '',
  value: undefined,
};

/** Returns the cached row if it has not changed, so that its value is the same object. */
function parseRow(stored: string, known: Row): Row {
  if (stored === '') return noRow;
  const [, version = '', created = '', expiry = ''] = /^(\d+) (\d+) (\S+) /.exec(stored) ?? [];
  if (known.version === version && known.created === created) return known;
  const json = stored.slice(version.length + created.length + expiry.length + 3);
  return new StoredRow(version, created, expiry, json);
}

const weigh = (row: Row) => row.json.length + 100;

export class KnownRows {
  readonly #rows = createBoundedCache<Seen>({ ...limits, weigh: ({ row }) => weigh(row) });
  readonly #views = createBoundedCache<View>({ ...limits, weigh: ({ weight }) => weight });
  #tick = 0;

  /** Increases with each change of a view, and so orders questions and changes. */
  get tick(): number {
    return this.#tick;
  }

  view(space: string): View | undefined {
    return this.#views.find(space);
  }

  /**
   * Stores the version of a space from the server, which was asked at this tick.
   */
  note(space: string, version: number, askedAt: number): View {
    const view = this.#views.find(space);
    const isKnown = view?.version === version || this.isNewer(space, version, askedAt);
    return view !== undefined && isKnown ? view : this.#keepView(space, this.#newView(version));
  }

  /** Whether this process has learned of a later version since it asked. */
  isNewer(space: string, version: number, askedAt: number): boolean {
    const view = this.#views.find(space);
    return view !== undefined && view.changedAt > askedAt && version < view.version;
  }

  find(space: string, key: string, view: View): Row | undefined {
    const seen = this.#rows.find(`${space}|${key}`);
    if (seen?.view === view) return seen.row;
    return view.rows && (view.rows.get(key) ?? noRow);
  }

  latest(space: string, key: string): Row {
    const seen = this.#rows.find(`${space}|${key}`)?.row;
    return seen ?? this.#views.find(space)?.rows?.get(key) ?? noRow;
  }

  /** Caches the server's value of a key, which was read in this view, at this version. */
  keep(space: string, key: string, stored: string, view?: View, atVersion = view?.version): Row {
    const id = `${space}|${key}`;
    const seen = this.#rows.find(id);
    const row = parseRow(stored, seen?.row ?? noRow);
    const isOld = seen !== undefined && seen.view === view && seen.atVersion > (atVersion ?? 0);
    if (!isOld) this.#rows.keep(id, { row, view, atVersion: atVersion ?? 0 });
    return row;
  }

  /** Caches all of a space: keys and rows alternate. */
  keepAll(space: string, flat: readonly string[], view: View, atVersion: number): Rows {
    const found: [string, Row][] = [];
    for (let place = 0; place + 1 < flat.length; place += 2) {
      const key = flat[place] ?? '';
      found.push([key, parseRow(flat[place + 1] ?? '', this.latest(space, key))]);
    }
    found.sort(([, a], [, b]) => Number(a.created) - Number(b.created));
    const rows = new Map(found);
    if (view.version === atVersion) this.#setRows(space, view, rows);
    return rows;
  }

  /**
   * Caches rows that this process has written. Others stay cached if `before` is the known version.
   */
  written(space: string, written: ReadonlyMap<string, Row>, before: number, version: number): void {
    const known = this.#views.find(space);
    if (known !== undefined && known.version >= version) return;
    const view = known?.version === before ? known : this.#newView(version);
    const changed = view.rows && new Map(view.rows);
    view.version = version;
    view.changedAt = ++this.#tick;
    view.rows = undefined;
    this.#keepView(space, view);
    for (const [key, row] of written) {
      this.#rows.keep(`${space}|${key}`, { row, view, atVersion: version });
      // A row that was created again comes last.
      if (row.version === row.created) changed?.delete(key);
      if (row !== noRow) changed?.set(key, row);
    }
    if (changed !== undefined) this.#setRows(space, view, changed);
  }

  list(view: View | undefined, rows: Rows, nowMs: number): LiveEntries['entries'] {
    if (view?.rows !== rows) return listLive(undefined, rows, nowMs).entries;
    view.listed = listLive(view.listed, rows, nowMs);
    return view.listed.entries;
  }

  #setRows(space: string, view: View, rows: Rows): void {
    view.rows = rows;
    view.listed = undefined;
    view.weight = 100;
    for (const row of rows.values()) view.weight += weigh(row);
    this.#keepView(space, view);
  }

  #keepView(space: string, view: View): View {
    this.#views.keep(space, view);
    return view;
  }

  #newView(version: number): View {
    const changedAt = ++this.#tick;
    return { version, changedAt, rows: undefined, weight: 100, listed: undefined };
  }
}
