/** Renders a page of the documentation as HTML, and extracts its title, headings and failures. */

import MarkdownIt from 'markdown-it';
import { anchorOf, escapeHtml, withPlaceholders } from './html.js';
import { onlyInRepository } from './links.js';
import { Shell } from './read-commands.js';
import { CodeRenderer } from './render-code.js';

/** @typedef {import('markdown-it').Token} Token */
/** @typedef {{ id: string, level: number, text: string }} Heading */
/** @typedef {{ heading: Heading, text: string, code: string }} Section */
/**
 * @typedef {object} RenderedPage
 * @property {string} html Without the heading of the page
 * @property {string} title
 * @property {string} lead Its first sentences, as text
 * @property {Heading[]} headings
 * @property {Section[]} sections The text and the code below each heading
 * @property {string[][]} rows Cells of its tables
 * @property {string[]} failures Texts of error messages
 * @property {number} exercises
 */

/** Returns the URL of a link, as seen from a folder of the root. */
/** @typedef {(target: string) => string} ResolveLink */

const parser = new MarkdownIt({ html: true });

/**
 * @param {string} markdown
 * @param {ResolveLink} resolve
 * @returns {RenderedPage}
 */
export function renderPage(markdown, resolve) {
  const tokens = groupFences(parser.parse(markdown.replaceAll(/^<!--.*?-->\n/gm, ''), {}));
  const code = new CodeRenderer(new Shell());
  const ids = new Set();
  /** @type {Heading[]} */
  const headings = [];
  /** @type {Section[]} */
  const sections = [];
  /** @type {string[][]} */
  const rows = [];
  let title = '';
  let lead = '';
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = textOf(tokens[index + 1]);
      const heading = { id: anchorOf(text, ids), level: Number(token.tag.slice(1)), text };
      if (heading.level === 1) title = text;
      else headings.push(heading);
      token.attrSet('id', heading.id);
      sections.push({ heading, text: '', code: '' });
    } else if (/^t[dh]_open$/.test(token.type) && token.attrGet('style') === 'text-align:right') {
      // Pages have no inline styles.
      token.attrs = [['class', 'end']];
    } else if (token.type === 'tr_open') {
      rows.push([]);
    } else if (token.type === 'fence') {
      const section = sections.at(-1);
      if (section !== undefined) section.code += codeOf(token.meta);
    } else if (token.type === 'inline') {
      resolveLinks(token, resolve);
      const section = sections.at(-1);
      const isHeading = tokens[index - 1]?.type === 'heading_open';
      if (section !== undefined && !isHeading) section.text += `${textOf(token)}\n`;
      if (/^t[dh]_open$/.test(tokens[index - 1]?.type ?? '')) {
        rows.at(-1)?.push(textOf(token));
        markNames(token);
      }
      if (lead === '' && tokens[index - 1]?.type === 'paragraph_open') lead = textOf(token);
    }
  }
  const failures = failuresIn(tokens);
  const exercises = markExercises(tokens);
  const body = tokens.slice(tokens.findIndex(({ type }) => type === 'heading_close') + 1);
  const html = withPlaceholders(rendererFor(code).render(body, parser.options, {}));
  return { html, title, lead, headings, sections, rows, failures, exercises };
}

const nameOfWords = /^(?:[a-z]+(?:-[a-z\d]+)+|(?=.{1,16}$)(?:\/[a-z]+){1,2})$/;

/**
 * Marks names of words and short paths in a cell, which are broken only after a hyphen or a slash.
 *
 * @param {Token} cell
 */
function markNames(cell) {
  for (const token of cell.children ?? []) {
    const isName = token.type === 'code_inline' && nameOfWords.test(token.content);
    if (isName) token.attrSet('class', 'name');
  }
}

/**
 * Returns programs, and commands without their output.
 *
 * @param {import('./render-code.js').Fence[]} fences
 */
function codeOf(fences) {
  const shown = fences.map(({ info, text }) =>
    info === 'console' ? (text.match(/^(?:\$|>) .*$/gm) ?? []).join('\n') : text,
  );
  return `${shown.join('\n')}\n`;
}

/** @param {CodeRenderer} code */
function rendererFor(code) {
  const { renderer } = new MarkdownIt({ html: true });
  Object.assign(renderer.rules, {
    fence: (/** @type {Token[]} */ tokens, /** @type {number} */ index) =>
      code.render(tokens[index]?.meta ?? []),
    heading_close: (/** @type {Token[]} */ tokens, /** @type {number} */ index) => {
      const id = tokens[index - 2]?.attrGet('id') ?? '';
      const text = escapeHtml(textOf(tokens[index - 1]));
      const { tag = 'h2' } = tokens[index] ?? {};
      return ` <a class="anchor" href="#${id}" aria-label="Link to: ${text}">#</a></${tag}>\n`;
    },
    th_open: (
      /** @type {Token[]} */ tokens,
      /** @type {number} */ index,
      /** @type {import('markdown-it').Options} */ options,
    ) => {
      const [open, text, close] = tokens.slice(index, index + 3);
      // Screen readers would announce a header without text.
      if (open && close && text?.content === '') open.tag = close.tag = 'td';
      return renderer.renderToken(tokens, index, options);
    },
    table_open: () => '<div class="table" tabindex="0" role="group" aria-label="Table">\n<table>\n',
    table_close: () => '</table>\n</div>\n',
  });
  return renderer;
}

/**
 * Joins adjacent code blocks to one token.
 *
 * @param {Token[]} tokens
 */
function groupFences(tokens) {
  /** @type {Token[]} */
  const grouped = [];
  for (const token of tokens) {
    const last = grouped.at(-1);
    if (token.type !== 'fence') {
      grouped.push(token);
      continue;
    }
    const fence = { info: token.info.trim(), text: token.content };
    if (last?.type === 'fence' && last.level === token.level) last.meta.push(fence);
    else grouped.push(Object.assign(token, { meta: [fence] }));
  }
  return grouped;
}

/**
 * @param {Token} token
 * @param {ResolveLink} resolve
 */
function resolveLinks(token, resolve) {
  for (const child of token.children ?? []) {
    for (const name of ['href', 'src']) {
      const target = child.attrGet(name);
      if (target !== null) setAddress(child, name, resolve(target));
    }
    if (child.type === 'image') child.attrSet('loading', 'lazy');
  }
}

/**
 * A link to a file that has no URL stays as a placeholder, with the path of the file as its title.
 *
 * @param {Token} token
 * @param {string} name of the attribute
 * @param {string} address
 */
function setAddress(token, name, address) {
  if (!address.startsWith(onlyInRepository)) return token.attrSet(name, address);
  const path = address.slice(onlyInRepository.length);
  token.attrs = [['title', `In the repository: ${path}`]];
}

/** @param {Token | undefined} token */
function textOf(token) {
  const parts = (token?.children ?? []).map(({ type, content }) => {
    if (type === 'softbreak') return ' ';
    return type === 'text' || type === 'code_inline' ? content : '';
  });
  return parts.join('');
}

/**
 * Returns the quotes in the rows below "What each failure means".
 *
 * @param {readonly Token[]} tokens
 */
function failuresIn(tokens) {
  const start = tokens.findIndex((token) => textOf(token) === 'What each failure means');
  if (start < 0) return [];
  const after = tokens.slice(start);
  const end = after.findIndex(
    ({ type, tag }, index) => index > 1 && type === 'heading_open' && tag === 'h2',
  );
  const section = end < 0 ? after : after.slice(0, end);
  return section.flatMap((token, index) => {
    const isCell = section[index - 1]?.type === 'td_open';
    const [code] = token.children ?? [];
    return isCell && code?.type === 'code_inline' && !/^[\w-]+$/.test(code.content)
      ? [code.content]
      : [];
  });
}

/**
 * Numbers the list below "Exercises", so that each can be marked as done.
 *
 * @param {readonly Token[]} tokens
 */
function markExercises(tokens) {
  const heading = tokens.findIndex((token) => textOf(token) === 'Exercises');
  const list = heading < 0 ? undefined : tokens[heading + 2];
  if (list?.type !== 'ordered_list_open') return 0;
  list.attrSet('class', 'exercises');
  let count = 0;
  for (const token of tokens.slice(heading + 3)) {
    if (token.type === 'ordered_list_close' && token.level === list.level) break;
    if (token.type !== 'list_item_open' || token.level !== list.level + 1) continue;
    count += 1;
    token.attrSet('id', `exercise-${count}`);
  }
  return count;
}
