/** Indexes of lists of records, which are made again only when a list has changed: a write makes another array. */

import { createBoundedCache } from '../../../base/bounded-cache.js';
import type { DataRecord, FieldValue } from './fields.js';

/** The places of records in their list, by the text of an id: ids that are numbers and texts have one address. */
export type RecordIndex = ReadonlyMap<string, readonly number[]>;

/** Places rather than records, so that no index keeps the data of a sandbox that is gone. */
const indexes = createBoundedCache<RecordIndex>({
  maxEntries: 1000,
  maxWeight: 8 * 1024 * 1024,
  weigh: weightOf,
});

/** Longer texts are no ids. */
const maxIdLength = 200;
const entryBytes = 200;
const placeBytes = 8;

function weightOf(index: RecordIndex): number {
  let weight = entryBytes;
  for (const [id, places] of index) {
    weight += entryBytes + 2 * id.length + placeBytes * places.length;
  }
  return weight;
}

const numbers = new WeakMap<object, number>();
let given = 0;

/** `key` names what `idsOf` returns. Nothing is kept of a list that is seen for the first time. */
export function indexRecords(
  records: readonly DataRecord[],
  key: string,
  idsOf: (record: DataRecord) => readonly FieldValue[],
): RecordIndex {
  const number = numbers.get(records);
  if (number !== undefined) return indexes.get(`${number} ${key}`, () => makeIndex(records, idsOf));
  numbers.set(records, ++given);
  return makeIndex(records, idsOf);
}

function makeIndex(
  records: readonly DataRecord[],
  idsOf: (record: DataRecord) => readonly FieldValue[],
): RecordIndex {
  const index = new Map<string, number[]>();
  for (const [place, record] of records.entries()) {
    for (const id of idsOf(record)) {
      const text = idText(id);
      if (text === undefined) continue;
      const places = index.get(text);
      if (places === undefined) index.set(text, [place]);
      else if (places.at(-1) !== place) places.push(place);
    }
  }
  return index;
}

/** Returns the text by which ids are compared; none for what can be no id. */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.length <= maxIdLength ? value : undefined;
}
