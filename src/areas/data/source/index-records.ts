/** Indexes of lists of records. Rebuilt only when a list has changed, because a write creates a new array. */

import { createBoundedCache } from '#base/bounded-cache.js';
import type { DataRecord, FieldValue } from './fields.js';

/** Positions of records in their list, by the text of an id: in a URL, the number 1 and the text "1" are the same. */
export type RecordIndex = ReadonlyMap<string, readonly number[]>;

/** Stores positions instead of records, so that indexes do not keep deleted data in memory. */
const indexes = createBoundedCache<RecordIndex>({
  maxEntries: 1000,
  maxWeight: 8 * 1024 * 1024,
  weigh: weightOf,
});

/** Longer texts are not ids. */
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

/** `key` identifies `idsOf`. Does not store an index for a list that is used for the first time. */
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

/** Returns the text by which ids are compared; `undefined` for values that cannot be ids. */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.length <= maxIdLength ? value : undefined;
}
