/**
 * The rows of one dataset as a sandbox sees them: frozen data, with that sandbox's own creations,
 * changes and deletions laid over it. Each of these is a value of its own, so that a write costs the same
 * however many there are. A sandbox that only reads stores nothing.
 */

import { type Awaitable, whenKnown } from '../../base/awaitable.js';
import type { Sandbox, Space, Transaction } from '../state.js';
import { forgetChanges, tellChange } from './change-feed.js';
import { findById } from './find-by-id.js';
import { heapBytes } from './heap-bytes.js';
import { noteLatest } from './row-notes.js';
import { getRow, listRows, spacesOf, WrittenRow } from './stored-rows.js';

export interface Row {
  readonly id: number | string;
}

export interface Dataset<R extends Row> {
  /** Unique in the service, kebab-case. */
  readonly name: string;
  /** Frozen; in ascending order of `id` where ids are numbers. No two ids are the same text. */
  readonly rows: readonly R[];
  /** How many more a sandbox may hold at a time; {@link maxCreatedRows} when left out. */
  readonly maxCreatedRows?: number;
  /** What people call it; its name when left out. */
  readonly title?: string;
  /** How many bytes a row takes, where that is not measured well by its values alone. */
  bytesOf?(row: R): number;
  /** Sees each write in its transaction, before it is made, and may throw to prevent it. */
  noteWrite?(
    view: Transaction,
    before: R | undefined,
    after: R | undefined,
    json: string | undefined,
  ): void;
  /**
   * Whether what is removed stays in a trash, with `deletedAt` (ISO 8601) beside its fields. Only `trash` sees it
   * there; it counts as created records do, and where changes are told as deleted.
   */
  readonly keepsTrash?: true;
}

/** Rows in a transaction: everything is there at once. Otherwise as {@link Collection}. */
export interface RowsInTransaction<R extends Row> {
  readonly nowMs: number;
  list(): readonly R[];
  get(id: R['id']): R | undefined;
  create(build: (id: R['id'], nowMs: number) => R, id?: R['id']): R;
  update(id: R['id'], change: (row: R, nowMs: number) => R): R | undefined;
  remove(id: R['id'], check?: (row: R) => void): boolean;
  readonly trash: {
    get(id: R['id']): R | undefined;
    /** Takes a row out of the trash, as it was; `undefined` when it is not there. */
    restore(id: R['id'], check?: (row: R) => void): R | undefined;
    /** Removes a row for good, in the trash or not; says whether there was one. */
    purge(id: R['id'], check?: (row: R) => void): boolean;
  };
}

/** Each write is told in the {@link changeFeed} of that name in the same step. */
export interface Collection<R extends Row> {
  /** All rows in ascending order of `id`; where ids are no numbers, in order of creation. */
  list(): Awaitable<readonly R[]>;
  get(id: R['id']): Awaitable<R | undefined>;
  /**
   * Adds the row that `build` makes and returns it. Without an id, it is given a number that is higher than any
   * used before; what has the id that is given is replaced. Throws a `CapacityError` when {@link maxCreatedRows}
   * created rows exist.
   */
  create(build: (id: R['id'], nowMs: number) => R, id?: R['id']): Awaitable<R>;
  /**
   * Replaces a row by what `change` makes of it, atomically, and returns the new row; `undefined`
   * when there is no such row. The id must stay. What `change` throws reaches the caller.
   */
  update(id: R['id'], change: (row: R, nowMs: number) => R): Awaitable<R | undefined>;
  /**
   * Removes a row and says whether there was one. `check` sees the row first and may throw to keep
   * it.
   */
  remove(id: R['id'], check?: (row: R) => void): Awaitable<boolean>;
  readonly trash: {
    list(): Awaitable<readonly R[]>;
    get(id: R['id']): Awaitable<R | undefined>;
  };
}

/** The highest id that was given in each collection, by its name. */
const givenIds: Space<number> = { name: 'collection-ids', maxKeys: 200 };

function isTrashed<R extends Row>({ keepsTrash }: Dataset<R>, row: R): boolean {
  return keepsTrash === true && (row as { readonly deletedAt?: unknown }).deletedAt !== undefined;
}

/** Reads cost no transaction; each write is one of its own. */
export function collection<R extends Row>(sandbox: Sandbox, dataset: Dataset<R>): Collection<R> {
  return new SandboxCollection(sandbox, dataset);
}

/** A class, because there is one for each request, which calls one of its functions. */
class SandboxCollection<R extends Row> implements Collection<R> {
  readonly #sandbox: Sandbox;
  readonly #dataset: Dataset<R>;

  constructor(sandbox: Sandbox, dataset: Dataset<R>) {
    this.#sandbox = sandbox;
    this.#dataset = dataset;
  }

  list(): Awaitable<readonly R[]> {
    return whenKnown(
      listRows(this.#sandbox, this.#dataset),
      (all) => sortOut(this.#dataset, all).live,
    );
  }

  get(id: R['id']): Awaitable<R | undefined> {
    return whenKnown(getRow(this.#sandbox, this.#dataset, id), (row) =>
      row === undefined || isTrashed(this.#dataset, row) ? undefined : row,
    );
  }

  create(build: (id: R['id'], nowMs: number) => R, id?: R['id']): Awaitable<R> {
    return this.#sandbox.transact((view) => rowsIn(view, this.#dataset).create(build, id));
  }

  update(id: R['id'], change: (row: R, nowMs: number) => R): Awaitable<R | undefined> {
    return this.#sandbox.transact((view) => rowsIn(view, this.#dataset).update(id, change));
  }

  remove(id: R['id'], check?: (row: R) => void): Awaitable<boolean> {
    return this.#sandbox.transact((view) => rowsIn(view, this.#dataset).remove(id, check));
  }

  get trash(): Collection<R>['trash'] {
    const sandbox = this.#sandbox;
    const dataset = this.#dataset;
    return {
      list: () => whenKnown(listRows(sandbox, dataset), (all) => sortOut(dataset, all).trashed),
      get: (id) =>
        whenKnown(getRow(sandbox, dataset, id), (row) =>
          row !== undefined && isTrashed(dataset, row) ? row : undefined,
        ),
    };
  }
}

/** The rows of a dataset within a transaction, which makes all that is done with them one step. */
export function rowsIn<R extends Row>(
  view: Transaction,
  dataset: Dataset<R>,
): RowsInTransaction<R> {
  return new TransactionRows(view, dataset);
}

/** A class, because each write makes one, and calls one of its functions. */
export class TransactionRows<R extends Row> implements RowsInTransaction<R> {
  readonly #view: Transaction;
  readonly #dataset: Dataset<R>;

  constructor(view: Transaction, dataset: Dataset<R>) {
    this.#view = view;
    this.#dataset = dataset;
  }

  get nowMs(): number {
    return this.#view.nowMs;
  }

  list(): readonly R[] {
    return sortOut(this.#dataset, listRows(this.#view, this.#dataset) as readonly R[]).live;
  }

  get(id: R['id']): R | undefined {
    const row = this.#find(id);
    return row === undefined || isTrashed(this.#dataset, row) ? undefined : row;
  }

  create(build: (id: R['id'], nowMs: number) => R, wanted?: R['id']): R {
    const nextId = this.#nextId();
    const id = wanted ?? nextId;
    if (typeof id === 'number' && id >= nextId) {
      this.#view.write(givenIds, this.#dataset.name, id);
    }
    return this.#put(id, this.#find(id), build(id, this.nowMs));
  }

  update(id: R['id'], change: (row: R, nowMs: number) => R): R | undefined {
    const row = this.get(id);
    return row && this.#put(row.id, row, change(row, this.nowMs));
  }

  remove(id: R['id'], check?: (row: R) => void): boolean {
    const row = this.get(id);
    if (row === undefined) return false;
    check?.(row);
    if (this.#dataset.keepsTrash !== true) return this.#purge(row);
    this.#put(row.id, row, { ...row, deletedAt: new Date(this.nowMs).toISOString() });
    return true;
  }

  get trash(): RowsInTransaction<R>['trash'] {
    const find = (id: R['id']) => this.#find(id);
    const getTrashed = (id: R['id']): R | undefined => {
      const row = find(id);
      return row !== undefined && isTrashed(this.#dataset, row) ? row : undefined;
    };
    return {
      get: getTrashed,

      restore: (id, check) => {
        const row = getTrashed(id);
        if (row === undefined) return undefined;
        check?.(row);
        const { deletedAt: _deletedAt, ...restored } = row as R & { readonly deletedAt?: string };
        return this.#put(row.id, row, restored as unknown as R);
      },

      purge: (id, check) => {
        const row = find(id);
        if (row === undefined) return false;
        check?.(row);
        return this.#purge(row);
      },
    };
  }

  #find(id: R['id']): R | undefined {
    return getRow(this.#view, this.#dataset, id) as R | undefined;
  }

  #nextId(): number {
    const { name, rows } = this.#dataset;
    const given = this.#view.read(givenIds, name) ?? rows.at(-1)?.id;
    return (typeof given === 'number' ? given : 0) + 1;
  }

  #put(id: R['id'], before: R | undefined, after: R): R {
    if (after === before) return after;
    const view = this.#view;
    const dataset = this.#dataset;
    const json = JSON.stringify(after);
    dataset.noteWrite?.(view, before, after, json);
    const { changed, created } = spacesOf(dataset);
    const space = findById(dataset, id) === undefined ? created : changed;
    const written = new WrittenRow<R>(json, view.nowMs);
    const bytes = written.bytesWith(dataset.bytesOf?.(after) ?? heapBytes(after));
    view.write(space, String(id), written, { json: written.storedJson, bytes });
    this.#tell(id, before, after, json);
    noteLatest(after, written);
    return after;
  }

  #purge(row: R): true {
    const view = this.#view;
    const dataset = this.#dataset;
    dataset.noteWrite?.(view, row, undefined, undefined);
    const { changed, created } = spacesOf(dataset);
    const isOwn = findById(dataset, row.id) === undefined;
    view.write(isOwn ? created : changed, String(row.id), isOwn ? undefined : null);
    this.#tell(row.id, row, undefined);
    return true;
  }

  #tell(id: R['id'], before: R | undefined, after: R | undefined, json?: string): void {
    const { name } = this.#dataset;
    if (this.#isSeen(after)) {
      const kind = this.#isSeen(before) ? 'updated' : 'created';
      tellChange(this.#view, name, kind, id, json ?? JSON.stringify(after));
    } else if (this.#isSeen(before)) {
      tellChange(this.#view, name, 'deleted', id, JSON.stringify(before));
    }
  }

  #isSeen(row: R | undefined): row is R {
    return row !== undefined && !isTrashed(this.#dataset, row);
  }
}

/** Forgets all that was written to a dataset of that name, as if it had never been there. */
export function forgetRows(view: Transaction, name: string): void {
  const { changed, created } = spacesOf({ name, rows: [] });
  for (const space of [changed, created]) {
    for (const [id] of view.entries(space)) view.write(space, id, undefined);
  }
  view.write(givenIds, name, undefined);
  forgetChanges(view, name);
}

interface SortedOut<R extends Row> {
  readonly live: readonly R[];
  readonly trashed: readonly R[];
}

/** Of lists of datasets that keep a trash; a list is the same array until one of its rows changes. */
const sortedOut = new WeakMap<readonly Row[], SortedOut<Row>>();

function sortOut<R extends Row>(dataset: Dataset<R>, all: readonly R[]): SortedOut<R> {
  if (dataset.keepsTrash !== true) return { live: all, trashed: [] };
  const known = sortedOut.get(all) as SortedOut<R> | undefined;
  if (known !== undefined) return known;
  const trashed = all.filter((row) => isTrashed(dataset, row));
  const live = trashed.length === 0 ? all : all.filter((row) => !isTrashed(dataset, row));
  const made = { live, trashed };
  sortedOut.set(all, made);
  return made;
}
