/**
 * The rows of one dataset as a sandbox sees them: frozen data, with that sandbox's own creations,
 * changes and deletions laid over it (copy-on-write). A sandbox that only reads stores nothing.
 */

import { heapBytes, ownCopy } from './heap-bytes.js';
import { type Awaitable, CapacityError, type Change, type Sandbox, type Space } from './state.js';

export interface Row {
  readonly id: number;
}

export interface Dataset<R extends Row> {
  /** Unique in the service, kebab-case. */
  readonly name: string;
  /** Frozen, in ascending order of `id`. */
  readonly rows: readonly R[];
}

/** What differs from the dataset. Small, because creations are bounded and the dataset is. */
interface Overlay<R extends Row> {
  readonly nextId: number;
  /** How many rows exist now that the dataset does not have. */
  readonly created: number;
  /** About what the rows below take. */
  readonly bytes: number;
  /** By id: the row as it is now, or `null` when a row of the dataset was deleted. */
  readonly rows: Readonly<Record<string, R | null>>;
}

export interface Collection<R extends Row> {
  /** All rows in ascending order of `id`. */
  list(): Awaitable<readonly R[]>;
  get(id: number): Awaitable<R | undefined>;
  /**
   * Adds the row that `build` makes for the next id, which is never one used before, and returns it.
   * Throws {@link CapacityError} when {@link maxCreatedRows} created rows exist.
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

const overlayKey = 'overlay';

export function collection<R extends Row>(sandbox: Sandbox, dataset: Dataset<R>): Collection<R> {
  const space: Space<Overlay<R>> = { name: `collection:${dataset.name}`, maxKeys: 1 };

  return {
    list: () => withOverlay(sandbox.read(space, overlayKey), (overlay) => merge(dataset, overlay)),

    get: (id) =>
      withOverlay(sandbox.read(space, overlayKey), (overlay) => find(dataset, overlay, id)),

    create: (build) =>
      sandbox.update(space, overlayKey, (overlay = untouched(dataset), nowMs) => {
        if (overlay.created >= maxCreatedRows) {
          throw new CapacityError(
            `This sandbox already holds ${maxCreatedRows} created ${dataset.name}, the most it may. Delete some first.`,
          );
        }
        const id = overlay.nextId;
        const row = build(id, nowMs);
        const counts = { nextId: id + 1, created: overlay.created + 1 };
        return laidOver({ ...overlay, ...counts }, id, row, row);
      }),

    update: (id, change) =>
      sandbox.update(space, overlayKey, (overlay, nowMs) => {
        const row = find(dataset, overlay, id);
        if (row === undefined) return unchanged(overlay, undefined);
        const changed = change(row, nowMs);
        return laidOver(overlay ?? untouched(dataset), id, changed, changed);
      }),

    remove: (id, check) =>
      sandbox.update(space, overlayKey, (overlay) => {
        const row = find(dataset, overlay, id);
        if (row === undefined) return unchanged(overlay, false);
        check?.(row);
        const base = overlay ?? untouched(dataset);
        if (findById(dataset, id) !== undefined) return laidOver(base, id, null, true);
        return laidOver({ ...base, created: base.created - 1 }, id, undefined, true);
      }),
  };
}

/** An overlay with another row under an id; `undefined` takes away what was there. */
function laidOver<R extends Row, Result>(
  overlay: Overlay<R>,
  id: number,
  row: R | null | undefined,
  result: Result,
): Change<Overlay<R>, Result> {
  const { [id]: before, ...others } = overlay.rows;
  const bytes = overlay.bytes - bytesOf(before) + bytesOf(row);
  // A text of the row may be a part of the document that the caller sent.
  const rows = row === undefined ? others : { ...overlay.rows, [id]: ownCopy(row) };
  return { value: { ...overlay, bytes, rows }, bytes: overlayBytes + bytes, result };
}

function unchanged<R extends Row, Result>(
  overlay: Overlay<R> | undefined,
  result: Result,
): Change<Overlay<R>, Result> {
  return { value: overlay, ...(overlay && { bytes: overlayBytes + overlay.bytes }), result };
}

/** An overlay without its rows. */
const overlayBytes = 200;

/** What a row costs beside itself: its places in the overlay, which is sparse, and in the merged list. */
const rowPlaceBytes = 64;

function bytesOf(row: Row | null | undefined): number {
  return row === undefined ? 0 : rowPlaceBytes + heapBytes(row);
}

function withOverlay<R extends Row, Result>(
  overlay: Awaitable<Overlay<R> | undefined>,
  use: (overlay: Overlay<R> | undefined) => Result,
): Awaitable<Result> {
  return overlay instanceof Promise ? overlay.then(use) : use(overlay);
}

function untouched<R extends Row>(dataset: Dataset<R>): Overlay<R> {
  return { nextId: (dataset.rows.at(-1)?.id ?? 0) + 1, created: 0, bytes: 0, rows: {} };
}

function find<R extends Row>(
  dataset: Dataset<R>,
  overlay: Overlay<R> | undefined,
  id: number,
): R | undefined {
  const changed = overlay?.rows[id];
  if (changed !== undefined) return changed ?? undefined;
  return findById(dataset, id);
}

/** Overlays never change once stored, so what was merged from one stays right as long as it lives. */
const mergedRows = new WeakMap<Overlay<Row>, readonly Row[]>();

function merge<R extends Row>(dataset: Dataset<R>, overlay: Overlay<R> | undefined): readonly R[] {
  if (overlay === undefined) return dataset.rows;
  let merged = mergedRows.get(overlay) as readonly R[] | undefined;
  if (merged === undefined) {
    const kept = dataset.rows.flatMap((row) => {
      const changed = overlay.rows[row.id];
      return changed === null ? [] : [changed ?? row];
    });
    const created = Object.values(overlay.rows).filter(
      (row): row is R => row !== null && findById(dataset, row.id) === undefined,
    );
    merged = Object.freeze([...kept, ...created.sort((a, b) => a.id - b.id)]);
    mergedRows.set(overlay, merged);
  }
  return merged;
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
