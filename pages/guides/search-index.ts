/** Loads the index of all guides on first use. */

import { addressOf } from '../shared/address-of.js';
import { type Search, type SearchFile, searchIn } from './search-in.js';

/** Throws if the service does not respond. */
export async function loadSearch(): Promise<Search> {
  const response = await fetch(addressOf('/guides/search.json'));
  return searchIn((await response.json()) as SearchFile);
}
