/** Reads the structure of the documentation from its table of contents. */

import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';

/** @typedef {import('markdown-it').Token} Token */
/**
 * @typedef {{ name: string, title: string, steps: string[] }} Path Pages in order, for one kind of
 * reader
 */
/**
 * @typedef {{ name: string, title: string, pages: string[] }} Group Pages of a folder, with its
 * overview
 */
/** @typedef {{ title: string, entries: (string | Group)[] }} Part */
/** @typedef {{ paths: Path[], parts: Part[] }} Contents */

const parser = new MarkdownIt({ html: true });

/** Folders without an overview page. */
const folderTitles = /** @type {Record<string, string>} */ ({ realtime: 'Real time' });

/**
 * Reads the contents. Page names are as in URLs, such as `auth/basic`.
 *
 * @param {string} markdown The table of contents
 * @param {ReadonlyMap<string, string>} titles Of all pages, by name
 * @returns {Contents}
 */
export function readContents(markdown, titles) {
  const sections = sectionsOf(parser.parse(markdown, {}));
  const known = (/** @type {string[]} */ names) => [
    ...new Set(names.filter((name) => titles.has(name))),
  ];
  const paths = sections.flatMap(({ title, links }) => {
    const [, reader] = /^A path for (.+)$/.exec(title) ?? [];
    return reader === undefined
      ? []
      : [{ name: slugOf(reader), title: capitalized(reader), steps: known(links) }];
  });
  const linked = (/** @type {string} */ title) =>
    known(sections.filter((section) => section.title === title).flatMap(({ links }) => links));
  const more = linked('More');
  const tools = [...titles.keys()].filter((name) => name.startsWith('testing/'));
  const inOrder = known([...sections.flatMap(({ links }) => links), ...titles.keys()]);
  const areas = known([...linked('Documentation'), ...linked('The areas'), ...inOrder]).filter(
    (name) => !more.includes(name) && !tools.includes(name),
  );
  return {
    paths,
    parts: [
      { title: 'Areas', entries: groupByFolder(areas, titles) },
      { title: 'Your tool', entries: inOrder.filter((name) => tools.includes(name)) },
      { title: 'The service', entries: more },
    ],
  };
}

/**
 * Returns all pages in the order of the list.
 *
 * @param {Contents} contents
 */
export function readingOrder({ parts }) {
  return parts.flatMap(({ entries }) =>
    entries.flatMap((entry) => (typeof entry === 'string' ? entry : entry.pages)),
  );
}

/**
 * @param {readonly string[]} names
 * @param {ReadonlyMap<string, string>} titles
 */
function groupByFolder(names, titles) {
  const folders = new Set(
    names.filter((name) => name.includes('/')).map((name) => posix.dirname(name)),
  );
  const folderOf = (/** @type {string} */ name) =>
    folders.has(name) ? name : posix.dirname(name).replace(/^\.$/, '');
  /** @type {(string | Group)[]} */
  const entries = [];
  for (const name of names) {
    const folder = folderOf(name);
    if (folder === '') entries.push(name);
    else if (!entries.some((entry) => typeof entry !== 'string' && entry.name === folder)) {
      const pages = names.filter((each) => folderOf(each) === folder);
      pages.sort((one, other) => Number(other === folder) - Number(one === folder));
      const title = titles.get(folder) ?? folderTitles[folder] ?? capitalized(folder);
      entries.push({ name: folder, title, pages });
    }
  }
  return entries;
}

/** @param {readonly Token[]} tokens */
function sectionsOf(tokens) {
  /** @type {{ title: string, links: string[] }[]} */
  const sections = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'inline') continue;
    if (tokens[index - 1]?.type === 'heading_open')
      sections.push({ title: token.content, links: [] });
    for (const child of token.children ?? []) {
      const href = child.attrGet('href');
      const [, name] = /^([^#]+)\.md(?:#.*)?$/.exec(href ?? '') ?? [];
      if (name !== undefined) sections.at(-1)?.links.push(name);
    }
  }
  return sections;
}

/** @param {string} text */
function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {string} reader */
function slugOf(reader) {
  return reader.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}
