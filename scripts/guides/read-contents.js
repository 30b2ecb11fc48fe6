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
  const groups = sections
    .filter(({ level }) => level === 'h3')
    .map(({ title, links }) => ({
      title,
      names: known(links).filter((name) => ![...more, ...tools].includes(name)),
    }));
  // A page that no group links is in the group of its folder, or else with the first pages.
  const first = known([...linked('Documentation'), ...inOrder]).filter(
    (name) => ![...more, ...tools].includes(name) && groupOf(name, groups) === undefined,
  );
  return {
    paths,
    parts: [
      ...(first.length > 0
        ? [{ title: 'First steps', entries: groupByFolder(first, titles) }]
        : []),
      ...groups.map((group) => {
        const names = inOrder.filter(
          (name) => ![...more, ...tools].includes(name) && groupOf(name, groups) === group,
        );
        return { title: group.title, entries: groupByFolder(names, titles) };
      }),
      { title: 'Your tool', entries: inOrder.filter((name) => tools.includes(name)) },
      { title: 'The service', entries: more },
    ],
  };
}

/**
 * Returns the group that links a page, or else a page of its folder.
 *
 * @param {string} name
 * @param {readonly { title: string, names: readonly string[] }[]} groups
 */
function groupOf(name, groups) {
  const folder = posix.dirname(name);
  return (
    groups.find(({ names }) => names.includes(name)) ??
    (folder === '.'
      ? undefined
      : groups.find(({ names }) =>
          names.some((each) => each === folder || posix.dirname(each) === folder),
        ))
  );
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
  /** @type {{ title: string, level: string, links: string[] }[]} */
  const sections = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'inline') continue;
    const before = tokens[index - 1];
    if (before?.type === 'heading_open')
      sections.push({ title: token.content, level: before.tag, links: [] });
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
