/** The part of a list that a query asks for. */

import type { Awaitable } from '../../../base/awaitable.js';
import { runSoon, type Steps } from '../../../base/run-steps.js';
import type { DataRecord } from '../source/source.js';
import type { Condition } from './match-field.js';
import type { ListQuery } from './read-list-query.js';
import { sortRecords } from './sort-records.js';

export interface Selection {
  readonly records: readonly DataRecord[];
  /** How many match, on whatever page. */
  readonly total: number;
}

/** Records that the order leaves equal stay in the order of the list. Long lists are looked through in slices. */
export function selectRecords(all: readonly DataRecord[], query: ListQuery): Awaitable<Selection> {
  const isAsTheyAre = query.conditions.length === 0 && query.order.length === 0;
  return isAsTheyAre ? windowOf(all, query) : runSoon(selecting(all, query));
}

function* selecting(all: readonly DataRecord[], query: ListQuery): Steps<Selection> {
  const { conditions, order } = query;
  const matching = conditions.length === 0 ? all : yield* filter(all, conditions);
  const sorted = order.length === 0 ? matching : yield* sortRecords(matching, order);
  return windowOf(sorted, query);
}

function* filter(
  all: readonly DataRecord[],
  conditions: readonly Condition[],
): Steps<readonly DataRecord[]> {
  const matching: DataRecord[] = [];
  for (const record of all) {
    if (yield* matches(record, conditions)) matching.push(record);
  }
  return matching;
}

function* matches(record: DataRecord, conditions: readonly Condition[]): Steps<boolean> {
  for (const condition of conditions) {
    yield;
    if (!condition(record)) return false;
  }
  return true;
}

function windowOf(
  matching: readonly DataRecord[],
  { window: { offset, limit } }: ListQuery,
): Selection {
  const isWhole = offset === 0 && limit === undefined;
  const end = limit === undefined ? undefined : offset + limit;
  return { records: isWhole ? matching : matching.slice(offset, end), total: matching.length };
}
