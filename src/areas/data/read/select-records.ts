/** Selects the part of a list that a query requests, in its order. */

import type { Awaitable } from '#base/awaitable.js';
import { runSoon, type Steps } from '#base/run-steps.js';
import type { DataRecord, FieldValue } from '../source/fields.js';
import type { ListQuery, SortKey } from './list-query.js';
import { type Condition, comparableValue, compareValues } from './match-field.js';

export interface Selection {
  readonly records: readonly DataRecord[];
  /** Number of matching records on all pages. */
  readonly total: number;
}

/** Stable: records that compare as equal keep their order. Processes long lists in slices. */
export function selectRecords(all: readonly DataRecord[], query: ListQuery): Awaitable<Selection> {
  return runSoon(selecting(all, query));
}

function* selecting(
  all: readonly DataRecord[],
  { conditions, order, window: { offset, limit } }: ListQuery,
): Steps<Selection> {
  const matching = conditions.length === 0 ? all : yield* filter(all, conditions);
  const sorted = order.length === 0 ? matching : yield* sort(matching, order);
  const end = limit === undefined ? undefined : offset + limit;
  return { records: sorted.slice(offset, end), total: matching.length };
}

function* filter(
  all: readonly DataRecord[],
  conditions: readonly Condition[],
): Steps<readonly DataRecord[]> {
  const matching: DataRecord[] = [];
  for (const record of all) {
    let matches = true;
    for (const condition of conditions) {
      yield;
      matches = condition(record);
      if (!matches) break;
    }
    if (matches) matching.push(record);
  }
  return matching;
}

interface Sortable {
  readonly record: DataRecord;
  readonly values: readonly FieldValue[];
}

/** Sorts a copy of the records by merging runs, so that it can pause at each comparison. */
function* sort(
  records: readonly DataRecord[],
  keys: readonly SortKey[],
): Steps<readonly DataRecord[]> {
  let sorted: Sortable[] = [];
  for (const record of records) {
    const valueBy = ({ field }: SortKey) => comparableValue(field.kind, field.valueIn(record));
    sorted.push({ record, values: keys.map(valueBy) });
    yield;
  }
  for (let width = 1; width < sorted.length; width *= 2) {
    const merged: Sortable[] = [];
    for (let start = 0; start < sorted.length; start += 2 * width) {
      const middle = start + width;
      const runs = [sorted.slice(start, middle), sorted.slice(middle, middle + width)] as const;
      yield* merge(runs, keys, merged);
    }
    sorted = merged;
  }
  return sorted.map(({ record }) => record);
}

/** Merges two sorted runs into `merged`; for equal records, the first run has priority. */
function* merge(
  [first, second]: readonly [Sortable[], Sortable[]],
  keys: readonly SortKey[],
  merged: Sortable[],
): Steps<void> {
  let index = 0;
  for (const next of second) {
    while (index < first.length && compare(first[index] as Sortable, next, keys) <= 0) {
      merged.push(first[index++] as Sortable);
      yield;
    }
    merged.push(next);
    yield;
  }
  for (; index < first.length; index++) merged.push(first[index] as Sortable);
}

function compare(a: Sortable, b: Sortable, keys: readonly SortKey[]): number {
  for (const [index, { field, sign }] of keys.entries()) {
    const [left = null, right = null] = [a.values[index], b.values[index]];
    const difference = compareValues(field.kind, left, right);
    if (difference !== 0) return sign * difference;
  }
  return 0;
}
