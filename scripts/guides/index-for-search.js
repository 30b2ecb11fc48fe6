/**
 * Builds the search index of all guides for the browser: every heading, the text below it, and
 * every failure.
 */

import MiniSearch from 'minisearch';

/** @typedef {import('./render-page.js').RenderedPage} RenderedPage */

/** The page needs them to load the index. */
const options = /** @type {const} */ ({
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'at'],
  searchOptions: { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } },
});

/** @param {ReadonlyMap<string, RenderedPage>} pages By the name in their URL */
export function indexForSearch(pages) {
  const index = new MiniSearch({
    ...options,
    fields: [...options.fields],
    storeFields: [...options.storeFields],
  });
  let id = 0;
  const add = (/** @type {{ title: string, page: string, at: string, text: string }} */ entry) => {
    index.add({ id, ...entry });
    id += 1;
  };
  for (const [name, { title: page, sections, failures }] of pages) {
    for (const { heading, text } of sections) {
      const at = heading.level === 1 ? name : `${name}#${heading.id}`;
      add({ title: heading.text, page, at, text });
    }
    for (const title of failures)
      add({ title, page, at: `${name}#what-each-failure-means`, text: '' });
  }
  return { options, index: index.toJSON() };
}
