/** What is known of rows that were written, and no row shows: when that was, and the JSON of the latest. */

/** A member that nothing shows or copies. In a map beside the rows, times would cost a write as much as storing it does. */
const modifiedAt = Symbol('when the row was written');

/** Of rows that are frozen. */
const frozenTimes = new WeakMap<object, number>();

/** The response to a write needs the JSON that was stored. It is kept of one row alone, since nobody counts it. */
let latest: { readonly row: object; readonly json: string } | undefined;

/** When a row was written, by the clock of its sandbox; `undefined` for one that is as the dataset has it. */
export function modifiedAtOf(row: object): number | undefined {
  return (row as { readonly [modifiedAt]?: number })[modifiedAt] ?? frozenTimes.get(row);
}

/** What `JSON.stringify` makes of the row that was written last; `undefined` for others. */
export function writtenJsonOf(row: object): string | undefined {
  return latest?.row === row ? latest.json : undefined;
}

/** Notes when a row was written that is not kept here. */
export function noteWritten(row: object, atMs: number, json?: string): void {
  if (Object.isFrozen(row)) frozenTimes.set(row, atMs);
  else Object.defineProperty(row, modifiedAt, { value: atMs, configurable: true });
  if (json !== undefined) latest = { row, json };
}
