/** When rows were written, which no row shows. */

/** A member that nothing shows or copies. In a map beside the rows, times would cost a write as much as storing it does. */
const modifiedAt = Symbol('when the row was written');

/** Of rows that are frozen. */
const frozenTimes = new WeakMap<object, number>();

/** When a row was written, by the clock of its sandbox; `undefined` for one that is as the dataset has it. */
export function modifiedAtOf(row: object): number | undefined {
  return (row as { readonly [modifiedAt]?: number })[modifiedAt] ?? frozenTimes.get(row);
}

/** Notes when a row was written that is not kept here. */
export function noteModified(row: object, atMs: number): void {
  if (Object.isFrozen(row)) frozenTimes.set(row, atMs);
  else Object.defineProperty(row, modifiedAt, { value: atMs, configurable: true });
}
