/** Where a sandbox keeps what was written to a dataset, and how that lies over the dataset's own rows. */

import { type Awaitable, whenKnown } from '../../base/awaitable.js';
import type { Sandbox, Space, Transaction } from '../state.js';
import type { Dataset, Row } from './collection.js';
import { findById } from './find-by-id.js';
import { textBytes } from './heap-bytes.js';
import { modifiedAtOf, noteWritten, type RowNote } from './row-notes.js';

/** How many rows beyond the dataset's own a sandbox may hold in one collection at a time. */
export const maxCreatedRows = 1000;

/** What it takes beside its text and its row. */
const writtenRowBytes = 128;

/**
 * A row as it was written. Its JSON is told at once, in the response and in the feed of changes, so that is what is
 * kept; the row is made of it when somebody first reads it, and has no part of the document that a caller sent.
 */
export class WrittenRow<R extends Row> implements RowNote {
  readonly json: string;
  readonly atMs: number;
  #row: R | undefined;

  constructor(json: string, atMs: number) {
    this.json = json;
    this.atMs = atMs;
  }

  get row(): R {
    if (this.#row === undefined) {
      this.#row = JSON.parse(this.json) as R;
      noteWritten(this.#row, this);
    }
    return this.#row;
  }

  /** As a shared store has it. */
  get storedJson(): string {
    return `{"row":${this.json},"atMs":${this.atMs}}`;
  }

  /** With the row, whether it was read or not; `rowBytes` are what it takes. */
  bytesWith(rowBytes: number): number {
    return writtenRowBytes + textBytes(this.json) + rowBytes;
  }
}

/** Rows by id. Of the dataset's own those that were changed, and `null` for those that were deleted. */
type Stored<R extends Row> = { readonly row: R; readonly atMs: number } | null;
type RowSpace<R extends Row> = Space<Stored<R>>;
type StoredRows<R extends Row> = readonly (readonly [id: string, stored: Stored<R>])[];

function rowOf<R extends Row>(stored: Stored<R>): R | undefined {
  if (stored === null) return undefined;
  const { row } = stored;
  if (modifiedAtOf(row) === undefined) noteWritten(row, { atMs: stored.atMs });
  return row;
}

interface RowSpaces<R extends Row> {
  readonly changed: RowSpace<R>;
  readonly created: RowSpace<R>;
}

/** Made once for each dataset, for there is a collection for each request. */
const rowSpaces = new WeakMap<Dataset<Row>, RowSpaces<Row>>();

export function spacesOf<R extends Row>(dataset: Dataset<R>): RowSpaces<R> {
  const known = rowSpaces.get(dataset) as RowSpaces<R> | undefined;
  if (known !== undefined) return known;
  const { name, title = name, rows, maxCreatedRows: maxKeys = maxCreatedRows } = dataset;
  const spaces: RowSpaces<R> = {
    changed: { name: `collection:${name}`, maxKeys: rows.length },
    created: {
      name: `collection-created:${name}`,
      maxKeys,
      isKeptWhenFull: true,
      fullMessage: `This sandbox already holds ${maxKeys} created ${title}, the most it may. Delete some first.`,
    },
  };
  rowSpaces.set(dataset, spaces as RowSpaces<Row>);
  return spaces;
}

type Source = Pick<Sandbox | Transaction, 'read' | 'entries'>;

export function listRows<R extends Row>(
  source: Source,
  dataset: Dataset<R>,
): Awaitable<readonly R[]> {
  const { changed, created } = spacesOf(dataset);
  return whenKnown(source.entries(changed), (ofDataset) =>
    whenKnown(source.entries(created), (own) => merge(dataset, ofDataset, own)),
  );
}

export function getRow<R extends Row>(
  source: Source,
  dataset: Dataset<R>,
  id: R['id'],
): Awaitable<R | undefined> {
  const { changed, created } = spacesOf(dataset);
  const own = findById(dataset, id);
  const stored = source.read(own === undefined ? created : changed, String(id));
  return whenKnown(stored, (found) => (found === undefined ? own : rowOf(found)));
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
  const byId = new Map(changed);
  const kept = dataset.rows.flatMap((row) => {
    const now = byId.get(String(row.id));
    return now === undefined ? [row] : (rowOf(now) ?? []);
  });
  const own = created.flatMap(([, stored]) => rowOf(stored) ?? []);
  const isNumbered = own.every(({ id }) => typeof id === 'number');
  return [...kept, ...(isNumbered ? own.sort((a, b) => Number(a.id) - Number(b.id)) : own)];
}
