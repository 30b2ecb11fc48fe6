/** The index of all guides, and what reads it: loaded when someone first searches. */

import { addressOf } from '../shared/address-of.js';
import { type Search, type SearchFile, searchIn } from './search-in.js';

/** Throws when the service does not answer. */
export async function loadSearch(): Promise<Search> {
  const response = await fetch(addressOf('/guides/search.json'));
  return searchIn((await response.json()) as SearchFile);
}
