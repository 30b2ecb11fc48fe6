/** What is known of rows that were written, and no row shows: when that was, and their JSON. */

interface Notes {
  readonly atMs: number;
  readonly json: string | undefined;
}

/** A member that nothing shows or copies. In a map beside the rows, notes would cost a write as much as storing it does. */
const written = Symbol('what is known of the writing');

/** Of rows that are frozen. */
const ofFrozen = new WeakMap<object, Notes>();

function notesOf(row: object): Notes | undefined {
  return (row as { readonly [written]?: Notes })[written] ?? ofFrozen.get(row);
}

/** When a row was written, by the clock of its sandbox; `undefined` for one that is as the dataset has it. */
export function modifiedAtOf(row: object): number | undefined {
  return notesOf(row)?.atMs;
}

/** What `JSON.stringify` makes of a row, where its writing has shown that. */
export function writtenJsonOf(row: object): string | undefined {
  return notesOf(row)?.json;
}

/** Notes when a row was written that is not kept here. */
export function noteWritten(row: object, atMs: number, json?: string): void {
  const notes: Notes = { atMs, json };
  if (Object.isFrozen(row)) ofFrozen.set(row, notes);
  else Object.defineProperty(row, written, { value: notes, configurable: true });
}
