/** Finds the collections and single resources that a sandbox has. */

import { type Awaitable, whenKnown } from '../../../base/awaitable.js';
import { createBoundedCache } from '../../../base/bounded-cache.js';
import { turns } from '../../../base/work-in-turns.js';
import type { Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import type { Transaction } from '../../../state/state.js';
import { listParameters, namesIn } from '../read/list-query.js';
import { readValue } from '../read/read-value.js';
import type { Call } from '../source/call.js';
import type { Query } from '../source/faults.js';
import type { Source } from '../source/source.js';
import { type InitialData, ownPath } from './initial-data.js';
import { rejectJsonServerParameters } from './json-server-parameters.js';
import { collectionSource, widened } from './own-source.js';
import type { OwnStore } from './own-store.js';
import { singleSource } from './single-source.js';

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
  throw new HttpError(
    404,
    `There is no collection ${sent} of your own; there is ${there}. PUT /api/sandbox/data brings them.`,
  );
}

/** Returns the call with all fields that its query could name, which later records may have brought. */
export async function forQuery(call: Call): Promise<Call> {
  const { source, query } = call;
  const { fields, fieldNames } = source;
  const isKnown = (name: string) =>
    fields.filter(name) !== undefined || fieldNames.includes(name) || listParameters.includes(name);
  const listed = [query.sort, query.fields].filter((text) => typeof text === 'string');
  const sorted = listed.flatMap(namesIn).map((name) => name.replace(/^-/, ''));
  const names = [...Object.keys(query), ...sorted];
  if (names.every(isKnown) && areReadable(source, query)) return call;
  const records = await call.read((all) => all.list());
  // The initial records are frozen, and their fields never change.
  const isWritten = records.some((record) => !Object.isFrozen(record));
  const wider = isWritten ? call.to(widened(source, records)) : call;
  if (isWritten) await turns.next();
  rejectJsonServerParameters(query, (name) => wider.source.fields.filter(name) !== undefined);
  return wider;
}

/** Whether the values are of the kinds that the fields began with; later records may hold others. */
function areReadable({ fields }: Source, query: Query): boolean {
  return Object.entries(query).every(([name, given]) => {
    const filter = fields.filter(name);
    if (filter === undefined) return true;
    const texts = [given].flat();
    const each = filter.operator === '_in' ? texts.flatMap((text) => text.split(',')) : texts;
    return each.every((text) => readValue(filter.field, text) !== undefined);
  });
}
