/**
 * Renders the frame of a guide: the navigation of all guides, the contents of the page, and links
 * to related pages.
 */

import { escapeHtml } from './html.js';

/** @typedef {import('./read-contents.js').Contents} Contents */
/** @typedef {import('./render-page.js').Heading} Heading */

/**
 * Renders the navigation, which is the same for all pages. The service marks the current page and
 * its groups (`data-group`).
 *
 * @param {Contents} contents
 * @param {ReadonlyMap<string, string>} titles
 */
export function renderNavigation({ paths, parts }, titles) {
  const link = (
    /** @type {string} */ name,
    /** @type {string | undefined} */ title = titles.get(name),
  ) => `<li><a href="../guides/${name}">${escapeHtml(title ?? name)}</a></li>`;
  const folded = paths.map(
    ({ name, title, steps }) =>
      `<details data-group="path-${name}"><summary>${title}</summary><ol>${steps.map((step) => link(step)).join('')}</ol></details>`,
  );
  const listed = parts.map(({ title, entries }) => {
    const items = entries.map((entry) => {
      if (typeof entry === 'string') return link(entry);
      const pages = entry.pages.map((name) => {
        // Omits the title of the group.
        const title = titles.get(name)?.replace(`${entry.title}: `, '') ?? name;
        return link(
          name,
          name === entry.name ? 'Overview' : title.charAt(0).toUpperCase() + title.slice(1),
        );
      });
      return `<li><details data-group="${entry.name}"><summary>${escapeHtml(entry.title)}</summary><ul>${pages.join('')}</ul></details></li>`;
    });
    return `<h2>${title}</h2><ul>${items.join('')}</ul>`;
  });
  return `<h2>Paths</h2>${folded.join('')}${listed.join('')}`;
}

/** @param {readonly Heading[]} headings */
export function renderPageContents(headings) {
  const shown = headings.filter(({ level }) => level <= 3);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ id, level, text }) =>
      `<li${level > 2 ? ' class="sub"' : ''}><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<h2>On this page</h2><ol>${items.join('')}</ol>`;
}

/**
 * Renders links to the next step of each path of the page, and to its neighbours among all pages.
 *
 * @param {string} name
 * @param {readonly string[]} order
 * @param {Contents} contents
 * @param {ReadonlyMap<string, string>} titles
 */
export function renderWays(name, order, { paths }, titles) {
  const place = order.indexOf(name);
  const titleOf = (/** @type {string} */ other) => escapeHtml(titles.get(other) ?? other);
  const next = paths.flatMap(({ title, steps }) => {
    const step = steps.indexOf(name);
    const following = steps[step + 1];
    if (step < 0 || following === undefined) return [];
    return `<li><span>${title}, step ${step + 1} of ${steps.length}.</span> Next: <a href="../guides/${following}">${titleOf(following)}</a></li>`;
  });
  const [before, after] = [order[place - 1], order[place + 1]];
  const neighbours = [
    before !== undefined &&
      `<a rel="prev" href="../guides/${before}"><span>Previous</span> ${titleOf(before)}</a>`,
    after !== undefined &&
      `<a rel="next" href="../guides/${after}"><span>Next</span> ${titleOf(after)}</a>`,
  ];
  const steps = next.length === 0 ? '' : `<ul class="steps">${next.join('')}</ul>`;
  return `${steps}<nav class="ways" aria-label="Previous and next">${neighbours.filter(Boolean).join('')}</nav>`;
}
