/**
 * Tables: the frozen rows of a dataset with a sandbox's creations, changes and deletions, each a
 * separate value.
 */

import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { createNotes } from '#base/notes.js';
import { publishEvent } from '../events/publish-event.js';
import type { Sandbox, Space, Transaction } from '../state.js';
import { type ChangeKind, forgetChanges, reportChange } from './change-feed.js';
import { Dataset, type Row } from './dataset.js';
import { rowOf, type StoredRow, writeRow } from './written-row.js';

export class Table<R extends Row> {
  readonly #sandbox: Sandbox;
  readonly #dataset: Dataset<R>;

  constructor(sandbox: Sandbox, dataset: Dataset<R>) {
    this.#sandbox = sandbox;
    this.#dataset = dataset;
  }

  /**
   * Returns all rows in ascending order of their ids; if ids are not numbers, in order of creation.
   */
  list(): Awaitable<readonly R[]> {
    return whenKnown(listRows(this.#sandbox, this.#dataset), ({ live }) => live);
  }

  get(id: R['id']): Awaitable<R | undefined> {
    return getRow(this.#sandbox, this.#dataset, id, false);
  }

  listTrash(): Awaitable<readonly R[]> {
    return whenKnown(listRows(this.#sandbox, this.#dataset), ({ trashed }) => trashed);
  }

  getTrashed(id: R['id']): Awaitable<R | undefined> {
    return getRow(this.#sandbox, this.#dataset, id, true);
  }
}

export interface TableInTransaction<R extends Row> {
  readonly nowMs: number;
  list(): readonly R[];
  get(id: R['id']): R | undefined;
  /**
   * Adds the row that `build` makes and returns it. Without an id, the row gets the next unused
   * number, as text if all ids of the dataset are texts. A row with the given id is replaced.
   * Throws a `CapacityError` if `maxCreatedRows` created rows exist.
   */
  create(build: (id: R['id'], nowMs: number) => R, id?: R['id']): R;
  /**
   * Replaces a row, whose id must not change, and returns the new one; `undefined` without such a
   * row.
   */
  update(id: R['id'], change: (row: R, nowMs: number) => R): R | undefined;
  /** Removes a row and returns whether there was one. `check` may throw to keep it. */
  remove(id: R['id'], check?: (row: R) => void): boolean;
  getTrashed(id: R['id']): R | undefined;
  /** Moves a row out of the trash; returns `undefined` without such a row. */
  restore(id: R['id'], check?: (row: R) => void): R | undefined;
  /** Deletes a row permanently, in the trash or not, and returns whether there was one. */
  purge(id: R['id'], check?: (row: R) => void): boolean;
}

/** Highest assigned id of each table, by its name. */
const givenIds: Space<number> = { name: 'collection-ids', maxKeys: 200 };

export class WritableTable<R extends Row> implements TableInTransaction<R> {
  readonly nowMs: number;
  readonly #view: Transaction;
  readonly #dataset: Dataset<R>;

  constructor(view: Transaction, dataset: Dataset<R>) {
    this.nowMs = view.nowMs;
    this.#view = view;
    this.#dataset = dataset;
  }

  list(): readonly R[] {
    return (listRows(this.#view, this.#dataset) as Listed<R>).live;
  }

  get(id: R['id']): R | undefined {
    return getRow(this.#view, this.#dataset, id, false) as R | undefined;
  }

  getTrashed(id: R['id']): R | undefined {
    return getRow(this.#view, this.#dataset, id, true) as R | undefined;
  }

  create(build: (id: R['id'], nowMs: number) => R, wanted?: R['id']): R {
    const { name, ids } = this.#dataset;
    const { highest, areTexts } = ids;
    const nextId = Math.max(highest, this.#view.read(givenIds, name) ?? 0) + 1;
    const id = wanted ?? (areTexts ? String(nextId) : nextId);
    const number = Number(id);
    if (Number.isSafeInteger(number) && number >= nextId) this.#view.write(givenIds, name, number);
    return this.#put(id, this.#find(id), build(id, this.nowMs));
  }

  update(id: R['id'], change: (row: R, nowMs: number) => R): R | undefined {
    const row = this.get(id);
    return row && this.#put(this.#dataset.idOf(row), row, change(row, this.nowMs));
  }

  remove(id: R['id'], check?: (row: R) => void): boolean {
    const row = this.get(id);
    if (row === undefined) return false;
    check?.(row);
    const deletedAt = new Date(this.nowMs).toISOString();
    if (this.#dataset.options.keepsTrash)
      this.#put(this.#dataset.idOf(row), row, { ...row, deletedAt });
    else this.#erase(row);
    return true;
  }

  restore(id: R['id'], check?: (row: R) => void): R | undefined {
    const row = this.getTrashed(id);
    if (row === undefined) return undefined;
    check?.(row);
    const { deletedAt: _deletedAt, ...restored } = row as R & { readonly deletedAt?: string };
    return this.#put(this.#dataset.idOf(row), row, restored as unknown as R);
  }

  purge(id: R['id'], check?: (row: R) => void): boolean {
    const row = this.#find(id);
    if (row === undefined) return false;
    check?.(row);
    this.#erase(row);
    return true;
  }

  #find(id: R['id']): R | undefined {
    return getRow(this.#view, this.#dataset, id) as R | undefined;
  }

  #put(id: R['id'], before: R | undefined, after: R): R {
    if (after === before) return after;
    const dataset = this.#dataset;
    const { bytesOf, noteWrite } = dataset.options;
    const json = JSON.stringify(after);
    noteWrite?.(this.#view, before, after, json);
    const space = this.#spaceOf(id, before);
    const bytes = bytesOf?.(after);
    writeRow(this.#view, { space, key: String(id) }, after, json, bytes);
    this.#report(id, before, after, json);
    return after;
  }

  #erase(row: R): void {
    const dataset = this.#dataset;
    dataset.options.noteWrite?.(this.#view, row, undefined, undefined);
    const id = dataset.idOf(row);
    const space = this.#spaceOf(id, row);
    this.#view.write(space, String(id), space === dataset.changed ? null : undefined);
    this.#report(id, row, undefined, '');
  }

  /**
   * Returns the space of a row. Where rows keep their order, a row that replaces a deleted one
   * comes last.
   */
  #spaceOf(id: R['id'], before: R | undefined): Space<StoredRow<R>> {
    const dataset = this.#dataset;
    if (dataset.find(id) === undefined) return dataset.created;
    const isDeleted =
      dataset.options.keepsOrder === true &&
      this.#view.read(dataset.changed, String(id)) === null &&
      (before === undefined || this.#view.read(dataset.created, String(id)) !== undefined);
    return isDeleted ? dataset.created : dataset.changed;
  }

  /** Reports a change, for which rows in the trash do not exist. */
  #report(id: R['id'], before: R | undefined, after: R | undefined, json: string): void {
    const wasThere = before !== undefined && !this.#dataset.isTrashed(before);
    if (after !== undefined && !this.#dataset.isTrashed(after)) {
      this.#publish(wasThere ? 'updated' : 'created', id, json);
    } else if (wasThere) this.#publish('deleted', id, JSON.stringify(before));
  }

  /** Adds a change to the feed of the table, and to the events of the sandbox. */
  #publish(kind: ChangeKind, id: R['id'], json: string): void {
    const { name, options } = this.#dataset;
    reportChange(this.#view, name, kind, id, json);
    const type = `${options.title ?? name}.${kind}`;
    publishEvent(this.#view, { source: 'records', type, object: `${name}/${id}`, json });
  }
}

/** Deletes everything that was written to a dataset of this name. */
export function forgetRows(view: Transaction, name: string): void {
  const { changed, created } = new Dataset({ name, rows: [] });
  for (const space of [changed, created]) {
    for (const [id] of view.entries(space)) view.write(space, id, undefined);
  }
  view.write(givenIds, name, undefined);
  forgetChanges(view, name);
}

type Source = Pick<Sandbox | Transaction, 'read' | 'entries'>;

/** Returns a row if `isTrashed` matches. */
function getRow<R extends Row>(
  source: Source,
  dataset: Dataset<R>,
  id: R['id'],
  isTrashed?: boolean,
): Awaitable<R | undefined> {
  const own = dataset.find(id);
  const pick = (found: StoredRow<R> | undefined) => {
    const isReplaced = found === null && own !== undefined && dataset.options.keepsOrder === true;
    if (!isReplaced) return pickRow(dataset, own, found, isTrashed);
    return whenKnown(source.read(dataset.created, String(id)), (created) =>
      pickRow(dataset, undefined, created, isTrashed),
    );
  };
  const stored = source.read(own === undefined ? dataset.created : dataset.changed, String(id));
  return stored instanceof Promise ? stored.then(pick) : pick(stored);
}

function pickRow<R extends Row>(
  dataset: Dataset<R>,
  own: R | undefined,
  stored: StoredRow<R> | undefined,
  isTrashed: boolean | undefined,
): R | undefined {
  const row = stored === undefined ? own : rowOf(stored);
  const isWanted =
    row === undefined || isTrashed === undefined || dataset.isTrashed(row) === isTrashed;
  return isWanted ? row : undefined;
}

interface Listed<R extends Row> {
  readonly live: readonly R[];
  readonly trashed: readonly R[];
}

type Entries<Value> = readonly (readonly [id: string, stored: Value])[];

function listRows<R extends Row>(source: Source, dataset: Dataset<R>): Awaitable<Listed<R>> {
  return whenKnown(source.entries(dataset.changed), (changed) =>
    whenKnown(source.entries(dataset.created), (created) => merge(dataset, changed, created)),
  );
}

/** Caches lists by their stored entries, which are the same array until one of them changes. */
const merged = createNotes<Listed<Row> & { readonly created: object }>();

function merge<R extends Row>(
  dataset: Dataset<R>,
  changed: Entries<StoredRow<R>>,
  created: Entries<StoredRow<R>>,
): Listed<R> {
  if (changed.length === 0 && created.length === 0) return { live: dataset.rows, trashed: [] };
  // Empty lists may all be the same array.
  const key = changed.length === 0 ? created : changed;
  const known = merged.find(key);
  if (known?.created === created) return known as Listed<Row> as Listed<R>;
  const rows = mergeRows(dataset, changed, created);
  const made = {
    live: Object.freeze(rows.filter((row) => !dataset.isTrashed(row))),
    trashed: rows.filter((row) => dataset.isTrashed(row)),
    created,
  };
  merged.set(key, made);
  return made;
}

function mergeRows<R extends Row>(
  dataset: Dataset<R>,
  changed: Entries<StoredRow<R>>,
  created: Entries<StoredRow<R>>,
): readonly R[] {
  const byId = new Map(changed);
  const kept = dataset.rows.flatMap((row) => {
    const id = dataset.idOf(row);
    const isFound = !dataset.hasTwins || dataset.find(id) === row;
    const stored = isFound ? byId.get(String(id)) : undefined;
    return stored === undefined ? row : (rowOf(stored) ?? []);
  });
  const own = created.flatMap(([, stored]) => rowOf(stored) ?? []);
  const isSorted =
    dataset.options.keepsOrder !== true &&
    own.every((row) => typeof dataset.idOf(row) === 'number');
  if (isSorted) own.sort((a, b) => Number(dataset.idOf(a)) - Number(dataset.idOf(b)));
  return [...kept, ...own];
}
