/** What is known of rows that were written, and no row shows: when that was, and their JSON. */

export interface RowNote {
  /** By the clock of the sandbox. */
  readonly atMs: number;
  /** What `JSON.stringify` makes of the row, where that is known. */
  readonly json?: string;
}

/** A member that nothing shows or copies. In a map beside the rows, notes would cost as much as storing a row. */
const noteOfRow = Symbol('how the row was written');

/** Of rows that are frozen. */
const frozenNotes = new WeakMap<object, RowNote>();

/** Most rows that are written are told of once, in the response to that, and then dropped: a member would cost more. */
let latest: { readonly row: object; readonly note: RowNote } | undefined;

function noteOf(row: object): RowNote | undefined {
  if (latest?.row === row) return latest.note;
  return (row as { readonly [noteOfRow]?: RowNote })[noteOfRow] ?? frozenNotes.get(row);
}

/** When a row was written, by the clock of its sandbox; `undefined` for one that is as the dataset has it. */
export function modifiedAtOf(row: object): number | undefined {
  return noteOf(row)?.atMs;
}

/** What `JSON.stringify` makes of the row, where that is known. */
export function writtenJsonOf(row: object): string | undefined {
  return noteOf(row)?.json;
}

export function noteWritten(row: object, note: RowNote): void {
  if (Object.isFrozen(row)) frozenNotes.set(row, note);
  else Object.defineProperty(row, noteOfRow, { value: note, configurable: true });
}

/** The same until the next one is written, for who tells of it at once. */
export function noteLatest(row: object, note: RowNote): void {
  latest = { row, note };
}
