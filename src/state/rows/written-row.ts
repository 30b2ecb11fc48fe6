/**
 * Rows as they were written. The response and the change feed need the JSON of a row at once, so
 * the state keeps the JSON; the row is parsed on first use.
 */

import { createNotes } from '#base/notes.js';
import type { Space, Transaction } from '../state.js';
import { heapBytes, textBytes } from './heap-bytes.js';

export type StoredRow<R extends object> = {
  readonly row: R;
  readonly atMs: number;
} | null;

export interface RowNote {
  readonly atMs: number;
  readonly json?: string;
}

const notes = createNotes<RowNote>();

export function noteWritten(row: object, note: RowNote): void {
  notes.set(row, note);
}

/**
 * Returns the time of a write by the clock of its sandbox; `undefined` for an unchanged row of the
 * dataset.
 */
export function modifiedAtOf(row: object): number | undefined {
  return notes.find(row)?.atMs;
}

export function writtenJsonOf(row: object): string | undefined {
  return notes.find(row)?.json;
}

/** Size of the objects around a text and its row. */
const overheadBytes = 128;

/** A row in memory, which is also its note. */
class WrittenRow<R extends object> implements RowNote {
  readonly json: string;
  readonly atMs: number;
  #row: R | undefined;

  constructor(json: string, atMs: number) {
    this.json = json;
    this.atMs = atMs;
  }

  get stored(): string {
    return `{"row":${this.json},"atMs":${this.atMs}}`;
  }

  get row(): R {
    if (this.#row === undefined) {
      this.#row = JSON.parse(this.json) as R;
      noteWritten(this.#row, this);
    }
    return this.#row;
  }
}

/** Writes a row. Its bytes count as a text and as an object, whether it is read or not. */
export function writeRow<R extends object>(
  view: Transaction,
  { space, key }: { readonly space: Space<StoredRow<R>>; readonly key: string },
  row: R,
  json: string,
  rowBytes = heapBytes(row),
): void {
  const { nowMs } = view;
  const written = new WrittenRow<R>(json, nowMs);
  view.write(space, key, written, {
    json: written.stored,
    bytes: overheadBytes + textBytes(json) + rowBytes,
  });
  noteWritten(row, written);
}

/** Returns the JSON of a stored value, which is known for rows. */
export function storedJson(value: unknown): string {
  return value instanceof WrittenRow ? value.stored : JSON.stringify(value);
}

/** Returns the row of a stored value, with a note of its write. */
export function rowOf<R extends object>(stored: StoredRow<R>): R | undefined {
  if (stored === null) return undefined;
  const { row, atMs } = stored;
  if (notes.find(row) === undefined) noteWritten(row, { atMs });
  return row;
}
