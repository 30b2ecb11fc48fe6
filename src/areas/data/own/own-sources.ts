/** Finds the collections and single resources that a sandbox has. */

import { type Awaitable, whenKnown } from '../../../base/awaitable.js';
import { createBoundedCache } from '../../../base/bounded-cache.js';
import type { Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import type { Transaction } from '../../../state/state.js';
import type { Source } from '../source/source.js';
import { type InitialData, ownPath } from './initial-data.js';
import { collectionSource, singleSource } from './own-source.js';
import type { OwnStore } from './own-store.js';

/** Finds what a request names, whatever its case. Throws 404 where there is no such thing. */
export function findSource(store: OwnStore, { params, sandbox }: Request): Awaitable<Source> {
  const { collection } = params as { readonly collection: string };
  return whenKnown(store.find(sandbox), (data) => sourceOf(data, nameIn(data, collection)));
}

/** Finds the source at a path, in a transaction, where everything is there at once. */
export function sourceAt(store: OwnStore, view: Transaction, path: string): Source | undefined {
  const data = store.find(view) as InitialData;
  const name = [...data.model.data.members.keys()].find((each) => ownPath(each) === path);
  return name === undefined ? undefined : sourceOf(data, name);
}

/** Making a source takes longer than a request to it; most of what it holds are the fields of its lists. */
const sources = createBoundedCache<Source>({
  maxEntries: 10_000,
  maxWeight: 24 * 1024 * 1024,
  weigh: ({ fields }) => fields.all.reduce((sum, { name }) => sum + 1100 + 2 * name.length, 4096),
});

function sourceOf(data: InitialData, name: string): Source {
  return sources.get(`${data.model.id} ${name}`, () => {
    const dataset = data.datasets.get(name);
    return dataset === undefined
      ? singleSource(name, data)
      : collectionSource(name, data, dataset, (other) => sourceOf(data, other));
  });
}

function nameIn({ model: { data } }: InitialData, sent: string): string {
  if (data.members.has(sent)) return sent;
  const names = [...data.members.keys()];
  const lower = sent.toLowerCase();
  const found = names.find((name) => name.toLowerCase() === lower);
  if (found !== undefined) return found;
  const there = names.length === 0 ? 'none' : names.slice(0, 20).join(', ');
  const message = `There is no collection ${sent} of your own; there is ${there}. PUT /api/sandbox/data brings them.`;
  throw new HttpError(404, message);
}
