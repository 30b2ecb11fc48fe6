/**
 * Writes what the search of the pages reads: every heading with the text and code below it, every
 * failure, and every setting.
 */

import { searchWords } from './search-words.js';

/** @typedef {import('./render-page.js').RenderedPage} RenderedPage */
/** @typedef {import('../../pages/search/find.js').SearchFile} SearchFile */

/** Longer code has few words that anyone searches for. */
const maxCode = 500;

/**
 * @param {ReadonlyMap<string, RenderedPage>} pages By the name in their URL
 * @returns {SearchFile}
 */
export function indexForSearch(pages) {
  const names = [...pages.keys()];
  for (const name of Object.keys(searchWords)) {
    if (!pages.has(name)) throw new Error(`There is no guide ${name} to search for.`);
  }
  return {
    pages: names.map((name) => [name, pages.get(name)?.title ?? '', searchWords[name] ?? '']),
    sections: [...pages.values()].flatMap(({ sections }, page) =>
      sections.map(({ heading, text, code }) => {
        const id = heading.level === 1 ? '' : heading.id;
        return /** @type {const} */ ([
          page,
          id,
          heading.text,
          oneLine(`${text} ${code.slice(0, maxCode)}`),
        ]);
      }),
    ),
    messages: [...pages.values()].flatMap(({ failures }, page) =>
      failures.map((message) => /** @type {const} */ ([page, message])),
    ),
    settings: (pages.get('configuration')?.rows ?? []).flatMap(
      ([flag = '', variable = '', meaning = '']) =>
        flag.startsWith('--') ? [/** @type {const} */ ([`${flag} ${variable}`, meaning])] : [],
    ),
  };
}

/** @param {string} text */
function oneLine(text) {
  return text.replaceAll(/\s+/g, ' ').trim();
}
