/**
 * Renders the start page of the guides: the table of contents, with paths side by side and areas as
 * cards.
 */

/**
 * @param {string} html The table of contents as a page
 */
export function renderFront(html) {
  const [intro = '', ...sections] = html.split(/(?=<h2 )/);
  const isPath = (/** @type {string} */ section) => section.startsWith('<h2 id="a-path-');
  const paths = sections.filter(isPath).map((section) => `<section>${section}</section>`);
  const others = sections.filter((section) => !isPath(section)).map(cardsOf);
  return `${intro}<div class="paths">${paths.join('')}</div>${others.join('')}`;
}

/**
 * Renders each row of a table as a card that links to its page.
 *
 * @param {string} section
 */
function cardsOf(section) {
  return section.replace(/<div class="table"[\s\S]*?<\/table>\s*<\/div>/g, (table) => {
    const rows = [...table.matchAll(/<tr>\s*<td>(.*?)<\/td>\s*<td>(.*?)<\/td>\s*<\/tr>/gs)];
    return `<ul class="cards">${rows.map(([, link, says]) => `<li>${link}<p>${says}</p></li>`).join('')}</ul>`;
  });
}
