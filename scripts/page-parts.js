/** The common parts of pages, which are placeholders in `pages/<page>/index.html`. */

import { readFileSync } from 'node:fs';

const root = new URL('../pages/', import.meta.url);

/** Parts of several pages. Their texts are attributes, such as `<copied-field name="url" label="URL">`. */
const parts = /<(lab-head|lab-verdicts|copied-field)((?: \w+="[^"]*")+)><\/\1>/g;

/**
 * Fills the parts of a page, `<site-head>` and `<site-header>`, and marks its own link in the header.
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
    .replaceAll(parts, (_, part, attributes) => fillPart(part, attributes))
    .replace('<site-head></site-head>', () => head)
    .replace('<site-header></site-header>', () => header);
}

/** @param {string} part @param {string} attributes */
function fillPart(part, attributes) {
  const pairs = [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, ...pair]) => pair);
  const texts = Object.fromEntries(pairs);
  return readPart(`${part}.html`).replaceAll(/\{(\w+)\}/g, (_, name) => texts[name] ?? '');
}

/** @param {string} file */
function readPart(file) {
  return readFileSync(new URL(file, root), 'utf8').trim();
}
