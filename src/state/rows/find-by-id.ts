/** A row of a dataset by its id: by halves where numbers stand in order, else by the ids as texts. */

import type { Dataset, Row } from './collection.js';

/** The rows of datasets by their ids as texts; none where numbers stand in order. */
const rowsById = new WeakMap<readonly Row[], ReadonlyMap<string, Row> | undefined>();

export function findById<R extends Row>({ rows }: Dataset<R>, id: R['id']): R | undefined {
  if (!rowsById.has(rows)) rowsById.set(rows, areInOrder(rows) ? undefined : indexOf(rows));
  const index = rowsById.get(rows);
  if (index !== undefined) return index.get(String(id)) as R;
  // A text is the id of a number only where it is written like that: 01 is not 1.
  return String(Number(id)) === String(id) ? findNumber(rows, Number(id)) : undefined;
}

function areInOrder(rows: readonly Row[]): boolean {
  return rows.every(
    ({ id }, place) => typeof id === 'number' && (place === 0 || Number(rows[place - 1]?.id) < id),
  );
}

function indexOf(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [String(row.id), row]));
}

/** By halves. */
function findNumber<R extends Row>(rows: readonly R[], id: number): R | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Number(rows[middle]?.id) < id) low = middle + 1;
    else high = middle;
  }
  return rows[low]?.id === id ? rows[low] : undefined;
}
