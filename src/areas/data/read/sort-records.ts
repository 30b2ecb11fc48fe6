/** The order of a list, by one field or several. */

import type { Steps } from '../../../base/run-steps.js';
import type { DataRecord, FieldValue, RecordField } from '../source/source.js';
import { comparableValue, compareValues } from './match-field.js';

/** A field that a list is sorted by: ascending, or descending with -1. */
export interface SortKey {
  readonly field: RecordField;
  readonly sign: 1 | -1;
}

/** A record with the values that it is sorted by. */
interface Sortable {
  readonly record: DataRecord;
  readonly values: readonly FieldValue[];
}

/** Sorts a copy of the records. Records that the keys leave equal stay in their order. Yields at each comparison. */
export function* sortRecords(
  records: readonly DataRecord[],
  keys: readonly SortKey[],
): Steps<readonly DataRecord[]> {
  let sorted: Sortable[] = [];
  for (const record of records) {
    sorted.push({
      record,
      values: keys.map(({ field }) => comparableValue(field.kind, field.valueIn(record))),
    });
    yield;
  }
  for (let width = 1; width < sorted.length; width *= 2) {
    const merged: Sortable[] = [];
    for (let start = 0; start < sorted.length; start += 2 * width) {
      yield* merge(sorted, start, width, keys, merged);
    }
    sorted = merged;
  }
  return sorted.map(({ record }) => record);
}

/** Adds two sorted runs to `merged`, the second of which follows the first. */
function* merge(
  from: readonly Sortable[],
  start: number,
  width: number,
  keys: readonly SortKey[],
  merged: Sortable[],
): Steps<void> {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(middle + width, from.length);
  let left = start;
  let right = middle;
  while (left < middle && right < end) {
    const a = from[left] as Sortable;
    const b = from[right] as Sortable;
    if (compare(a, b, keys) <= 0) {
      merged.push(a);
      left++;
    } else {
      merged.push(b);
      right++;
    }
    yield;
  }
  while (left < middle) merged.push(from[left++] as Sortable);
  while (right < end) merged.push(from[right++] as Sortable);
}

function compare(a: Sortable, b: Sortable, keys: readonly SortKey[]): number {
  for (const [index, { field, sign }] of keys.entries()) {
    const difference = compareValues(
      field.kind,
      a.values[index] as FieldValue,
      b.values[index] as FieldValue,
    );
    if (difference !== 0) return sign * difference;
  }
  return 0;
}
