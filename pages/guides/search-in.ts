/** Searches the index of all guides. */

import MiniSearch, { type AsPlainObject, type Options } from 'minisearch';

/** A heading, or the message of a failure. */
export interface Found {
  readonly title: string;
  /** The guide that contains it. */
  readonly page: string;
  /** URL below `/guides/`. */
  readonly at: string;
}

export type Search = (text: string) => readonly Found[];

export interface SearchFile {
  readonly options: Options;
  readonly index: AsPlainObject;
}

/** Finds the places that contain all words of a text, best matches first. */
export function searchIn({ options, index }: SearchFile): Search {
  const search = MiniSearch.loadJS(index, options);
  return (text) => search.search(text).map(({ title, page, at }) => ({ title, page, at }));
}
