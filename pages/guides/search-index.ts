/** The index that the build has made of all guides. */

import MiniSearch, { type AsPlainObject, type Options } from 'minisearch';
import { addressOf } from '../shared/address-of.js';

/** A heading, or what the message of a failure says. */
export interface Found {
  readonly title: string;
  /** The guide that it is in. */
  readonly page: string;
  /** The address below `/guides/`. */
  readonly at: string;
}

export type Search = (text: string) => readonly Found[];

/** Throws when the service does not answer. */
export async function loadSearch(): Promise<Search> {
  const response = await fetch(addressOf('/guides/search.json'));
  return searchIn((await response.json()) as SearchFile);
}

export interface SearchFile {
  readonly options: Options;
  readonly index: AsPlainObject;
}

export function searchIn({ options, index }: SearchFile): Search {
  const search = MiniSearch.loadJS(index, options);
  return (text) => search.search(text).map(({ title, page, at }) => ({ title, page, at }));
}
