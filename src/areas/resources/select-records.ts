/** The part of a list that a query asks for. */

import type { ListQuery } from './read-list-query.js';
import type { ResourceRecord } from './record-fields.js';

export interface Selection {
  readonly records: readonly ResourceRecord[];
  /** How many match, on whatever page. */
  readonly total: number;
}

/** Records that the order leaves equal stay in the order of the list. */
export function selectRecords(
  all: readonly ResourceRecord[],
  { conditions, compare, window: { offset, limit } }: ListQuery,
): Selection {
  const matching =
    conditions.length === 0
      ? all
      : all.filter((record) => conditions.every((condition) => condition(record)));
  const sorted = compare === undefined ? matching : [...matching].sort(compare);
  const isWhole = offset === 0 && limit === undefined;
  const records = isWhole
    ? sorted
    : sorted.slice(offset, limit === undefined ? undefined : offset + limit);
  return { records, total: matching.length };
}
