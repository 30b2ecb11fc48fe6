/** The common parts of all pages, which are placeholders in `pages/<page>/index.html`. */

import { readFileSync } from 'node:fs';

const root = new URL('../pages/', import.meta.url);

/**
 * Fills `<site-head>` and `<site-header>` of a page, and marks its own link in the header.
 *
 * @param {string} html
 * @param {string} name The folder of the page
 */
export function fillCommonParts(html, name) {
  const head = readPart('site-head.html');
  const header = readPart('site-header.html')
    .replace(`data-page="${name}"`, 'aria-current="page"')
    .replaceAll(/ data-page="\w+"/g, '');
  return html
    .replace('<site-head></site-head>', () => head)
    .replace('<site-header></site-header>', () => header);
}

/** @param {string} file */
function readPart(file) {
  return readFileSync(new URL(file, root), 'utf8').trim();
}
