/** Sorts items by several keys. Sorts long lists in pieces. */

import type { Steps } from '#base/run-steps.js';
import { HttpError } from '#http/http-error.js';

export type Compare<Item> = (a: Item, b: Item) => number;

const maxSortKeys = 10;
/** Sorting this number of items takes a few milliseconds. */
const maxAtOnce = 1000;

/** Throws 400 for too many keys. */
export function checkSortKeys(keys: readonly string[]): void {
  if (keys.length <= maxSortKeys) return;
  throw new HttpError(400, `_sort must have at most ${maxSortKeys} fields; got ${keys.length}.`);
}

/** Stable: items that compare as equal keep their order. */
export function* sortItems<Item>(items: readonly Item[], compare: Compare<Item>): Steps<Item[]> {
  if (items.length <= maxAtOnce) return [...items].sort(compare);
  const middle = items.length >> 1;
  const first = yield* sortItems(items.slice(0, middle), compare);
  yield;
  const second = yield* sortItems(items.slice(middle), compare);
  const merged: Item[] = [];
  let index = 0;
  for (const next of second) {
    for (; index < first.length; index++) {
      const item = first[index] as Item;
      if (compare(item, next) > 0) break;
      merged.push(item);
      yield;
    }
    merged.push(next);
    yield;
  }
  return [...merged, ...first.slice(index)];
}
