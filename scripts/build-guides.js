/**
 * Renders the guides of `docs/` into `dist/guides/`, each as HTML and as Markdown, with the search
 * index. All texts are one compressed group; images are files. `--watch` repeats this on every change.
 */

import { cpSync, existsSync, readdirSync, readFileSync, utimesSync, watch } from 'node:fs';
import { indexForSearch } from './guides/index-for-search.js';
import { isGuide } from './guides/is-guide.js';
import { markdownLinks, pageLinks } from './guides/links.js';
import { readContents, readingOrder } from './guides/read-contents.js';
import { renderNavigation, renderPageContents, renderWays } from './guides/render-frame.js';
import { renderFront } from './guides/render-front.js';
import { renderPage } from './guides/render-page.js';
import { writeGroup } from './write-group.js';

const root = new URL('../', import.meta.url);
const docs = new URL('docs/', root);
const to = new URL('dist/guides/', root);
const service = new URL('dist/main.cjs', root);

/** The table of contents, which is served as the start page of the guides. */
const front = 'README';

function buildGuides() {
  const names = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replaceAll('\\', '/').replace(/\.md$/, ''))
    .filter(isGuide)
    .sort();
  const texts = new Map(
    names.map((name) => [name, readFileSync(new URL(`${name}.md`, docs), 'utf8')]),
  );
  const rendered = new Map(
    [...texts].map(([name, text]) => [name, renderPage(text, pageLinks(name))]),
  );
  const titles = new Map([...rendered].map(([name, { title }]) => [name, title]));
  titles.delete(front);
  const contents = readContents(texts.get(front) ?? '', titles);
  const order = readingOrder(contents);

  /** @type {[name: string, text: string][]} */
  const written = [];
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    written.push([name, text]);
  };
  const pages = names.map((name) => {
    const page = rendered.get(name);
    if (page === undefined) throw new Error(`There is no page ${name}.`);
    const { html, headings, title, lead, exercises } = page;
    const isFront = name === front;
    const article = isFront ? renderFront(html) : html + renderWays(name, order, contents, titles);
    write(`${name}.html`, article);
    const pageContents = isFront ? '' : renderPageContents(headings);
    write(`${name}.md`, markdownLinks(name, texts.get(name) ?? ''));
    const groups = groupsOf(name, contents);
    return {
      name,
      title: isFront ? 'Guides' : title,
      lead: shorten(lead),
      groups,
      exercises,
      contents: pageContents,
      order: order.indexOf(name),
    };
  });
  pages.sort((one, other) => one.order - other.order);
  write('pages.json', JSON.stringify(pages.map(({ order: _, ...page }) => page)));
  write('navigation.html', renderNavigation(contents, titles));
  rendered.delete(front);
  write('search.json', JSON.stringify(indexForSearch(rendered)));
  const images = readdirSync(new URL('images/', docs)).map((name) => `images/${name}`);
  const shown = images.filter((name) => [...texts.values()].some((text) => text.includes(name)));
  for (const name of shown) cpSync(new URL(name, docs), new URL(name, to));
  write('files.json', JSON.stringify(['search.json', ...shown]));
  writeGroup(new URL('guides.br', to), written);
}

/**
 * Returns the navigation groups that are open on a page: its folder, and its first path.
 *
 * @param {string} name
 * @param {import('./guides/read-contents.js').Contents} contents
 */
function groupsOf(name, { paths, parts }) {
  const path = paths.find(({ steps }) => steps.includes(name));
  const groups = parts.flatMap(({ entries }) =>
    entries.flatMap((entry) =>
      typeof entry !== 'string' && entry.pages.includes(name) ? entry.name : [],
    ),
  );
  return [...(path ? [`path-${path.name}`] : []), ...groups];
}

/** @param {string} lead The first sentences of a page */
function shorten(lead) {
  return lead.length <= 200 ? lead : `${lead.slice(0, lead.lastIndexOf(' ', 199))} …`;
}

buildGuides();

if (process.argv.includes('--watch')) {
  watch(docs, { recursive: true }, () => {
    buildGuides();
    // The service caches pages in memory; touching this file makes node --watch restart it.
    if (existsSync(service)) utimesSync(service, new Date(), new Date());
  });
}
