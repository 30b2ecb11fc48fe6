/**
 * The rows of one dataset as a sandbox sees them: frozen data, with that sandbox's own creations,
 * changes and deletions laid over it. Each of these is a value of its own, so that a write costs the same
 * however many there are. A sandbox that only reads stores nothing.
 */

import { ownCopy } from './heap-bytes.js';
import { type Awaitable, noRoom, type Sandbox, type Space } from './state.js';
import { whenKnown } from './when-known.js';

export interface Row {
  readonly id: number;
}

export interface Dataset<R extends Row> {
  /** Unique in the service, kebab-case. */
  readonly name: string;
  /** Frozen, in ascending order of `id`. */
  readonly rows: readonly R[];
}

export interface Collection<R extends Row> {
  /** All rows in ascending order of `id`. */
  list(): Awaitable<readonly R[]>;
  get(id: number): Awaitable<R | undefined>;
  /**
   * Adds the row that `build` makes for a new id, which is higher than any used before, and returns it.
   * Throws a `CapacityError` when {@link maxCreatedRows} created rows exist.
   */
  create(build: (id: number, nowMs: number) => R): Awaitable<R>;
  /**
   * Replaces a row by what `change` makes of it, atomically, and returns the new row; `undefined`
   * when there is no such row. The id must stay. What `change` throws reaches the caller.
   */
  update(id: number, change: (row: R, nowMs: number) => R): Awaitable<R | undefined>;
  /**
   * Removes a row and says whether there was one. `check` sees the row first and may throw to keep
   * it.
   */
  remove(id: number, check?: (row: R) => void): Awaitable<boolean>;
}

/** How many rows beyond the dataset's own a sandbox may hold in one collection at a time. */
export const maxCreatedRows = 1000;

/** The highest id that was given in each collection, by its name. */
const givenIds: Space<number> = { name: 'collection-ids', maxKeys: 100 };

/** Rows by id. Of the dataset's own those that were changed, and `null` for those that were deleted. */
type RowSpace<R extends Row> = Space<R | null>;
type StoredRows<R extends Row> = readonly (readonly [id: string, row: R | null])[];

interface RowSpaces<R extends Row> {
  readonly changed: RowSpace<R>;
  readonly created: RowSpace<R>;
}

/** Made once for each dataset, for there is a collection for each request. */
const rowSpaces = new WeakMap<Dataset<Row>, RowSpaces<Row>>();

function spacesOf<R extends Row>(dataset: Dataset<R>): RowSpaces<R> {
  const { name, rows } = dataset;
  const known = rowSpaces.get(dataset) as RowSpaces<R> | undefined;
  if (known !== undefined) return known;
  const spaces: RowSpaces<R> = {
    changed: { name: `collection:${name}`, maxKeys: rows.length },
    created: {
      name: `collection-created:${name}`,
      maxKeys: maxCreatedRows,
      isKeptWhenFull: true,
      fullMessage: `This sandbox already holds ${maxCreatedRows} created ${name}, the most it may. Delete some first.`,
    },
  };
  rowSpaces.set(dataset, spaces as RowSpaces<Row>);
  return spaces;
}

export function collection<R extends Row>(sandbox: Sandbox, dataset: Dataset<R>): Collection<R> {
  const { name, rows } = dataset;
  const { changed, created } = spacesOf(dataset);
  const spaceOf = (id: number) => (findById(dataset, id) === undefined ? created : changed);

  /** One that another took in its place, such as after a reset, is passed over. */
  function createNext(build: (id: number, nowMs: number) => R): Awaitable<R> {
    const highest = rows.at(-1)?.id ?? 0;
    const next = sandbox.update(givenIds, name, (given = highest) => ({
      value: given + 1,
      result: given + 1,
    }));
    return whenKnown(next, (id) => {
      const added = sandbox.update(created, String(id), (row, nowMs) => {
        if (row !== undefined) return { value: row, result: undefined };
        const built = build(id, nowMs);
        // A text of the row may be a part of the document that the caller sent.
        return { value: ownCopy(built), result: built };
      });
      return whenKnown(added, (row) => row ?? createNext(build));
    });
  }

  return {
    list: () =>
      whenKnown(sandbox.entries(changed), (ofDataset) =>
        whenKnown(sandbox.entries(created), (own) => merge(dataset, ofDataset, own)),
      ),

    get: (id) =>
      whenKnown(
        sandbox.read(spaceOf(id), String(id)),
        (row = findById(dataset, id)) => row ?? undefined,
      ),

    create: (build) =>
      whenKnown(sandbox.entries(created), ({ length }) => {
        // Before an id is taken; what comes in between finds the space full.
        if (length >= maxCreatedRows) throw noRoom(created);
        return createNext(build);
      }),

    update: (id, change) =>
      sandbox.update(spaceOf(id), String(id), (stored, nowMs) => {
        const row = stored === undefined ? findById(dataset, id) : stored;
        if (row === undefined || row === null) return { value: stored, result: undefined };
        const made = change(row, nowMs);
        return { value: ownCopy(made), result: made };
      }),

    remove: (id, check) =>
      sandbox.update(spaceOf(id), String(id), (stored) => {
        const own = findById(dataset, id);
        const row = stored === undefined ? own : stored;
        if (row === undefined || row === null) return { value: stored, result: false };
        check?.(row);
        return { value: own === undefined ? undefined : null, result: true };
      }),
  };
}

interface Merged {
  readonly created: StoredRows<Row>;
  readonly rows: readonly Row[];
}

/** What was merged, by stored rows that are the same array until one of them changes. */
const mergedRows = new WeakMap<StoredRows<Row>, Merged>();

function merge<R extends Row>(
  dataset: Dataset<R>,
  changed: StoredRows<R>,
  created: StoredRows<R>,
): readonly R[] {
  if (changed.length === 0 && created.length === 0) return dataset.rows;
  // An array without rows may be anybody's.
  const key = changed.length === 0 ? created : changed;
  const known = mergedRows.get(key);
  if (known?.created === created) return known.rows as readonly R[];
  const rows = Object.freeze(mergeRows(dataset, changed, created));
  mergedRows.set(key, { created, rows });
  return rows;
}

function mergeRows<R extends Row>(
  dataset: Dataset<R>,
  changed: StoredRows<R>,
  created: StoredRows<R>,
): readonly R[] {
  const byId = new Map(changed.map(([id, row]) => [Number(id), row]));
  const kept = dataset.rows.flatMap((row) => {
    const now = byId.get(row.id);
    return now === null ? [] : [now ?? row];
  });
  const own = created.flatMap(([, row]) => (row === null ? [] : [row]));
  return [...kept, ...own.sort((a, b) => a.id - b.id)];
}

/** By halves, which needs no index: rows stand in ascending order of `id`. */
function findById<R extends Row>({ rows }: Dataset<R>, id: number): R | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as R).id < id) low = middle + 1;
    else high = middle;
  }
  return rows[low]?.id === id ? rows[low] : undefined;
}
