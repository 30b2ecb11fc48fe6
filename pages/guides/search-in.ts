/** Searching the index that the build has made of all guides. */

import MiniSearch, { type AsPlainObject, type Options } from 'minisearch';

/** A heading, or what the message of a failure says. */
export interface Found {
  readonly title: string;
  /** The guide that it is in. */
  readonly page: string;
  /** The address below `/guides/`. */
  readonly at: string;
}

export type Search = (text: string) => readonly Found[];

export interface SearchFile {
  readonly options: Options;
  readonly index: AsPlainObject;
}

/** Finds the places that have all words of a text, the likeliest first. */
export function searchIn({ options, index }: SearchFile): Search {
  const search = MiniSearch.loadJS(index, options);
  return (text) => search.search(text).map(({ title, page, at }) => ({ title, page, at }));
}
