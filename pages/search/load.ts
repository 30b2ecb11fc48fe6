/** Loads what is searched, on first use. */

import { addressOf } from '../shared/address-of.js';
import { type ListedEndpoints, type Search, type SearchFile, searchIn } from './find.js';

let loading: Promise<Search> | undefined;

/** Rejects if the service does not respond; the next call tries again. */
export function loadSearch(): Promise<Search> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Search> {
  const [file, endpoints] = await Promise.all([
    read<SearchFile>('/guides/search.json'),
    read<ListedEndpoints>('/endpoints.json'),
  ]);
  return searchIn(file, endpoints);
}

async function read<Value>(path: string): Promise<Value> {
  const response = await fetch(addressOf(path));
  if (!response.ok) throw new Error(`${path} got ${response.status}.`);
  return (await response.json()) as Value;
}
