/** The texts that a reader meets keep to the glossary: documents without their code, and pages. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bannedInTexts, exceptions } from './banned-in-texts.js';
import { proseOf } from './markdown.js';
import { readText, root, texts } from './pages.js';

test.each(texts)('%s keeps to the words of the glossary', (name) => {
  expect(faultsIn(name, wordsOf(readText(name)))).toEqual([]);
});

const pages = readdirSync(new URL('pages/', root), { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.(?:html|ts)$/.test(name) && !name.endsWith('.d.ts'),
);

test.each(pages)('pages/%s keeps to the words of the glossary', (name) => {
  const text = readFileSync(new URL(`pages/${name}`, root), 'utf8');
  const shown = name.endsWith('.html') ? text.replaceAll(/<[^>]*>/g, ' ') : sentencesIn(text);
  expect(faultsIn(name, shown)).toEqual([]);
});

test.each([
  ['prose', 'It answers with 404.', 1],
  ['a code span', 'See `answers` there.', 0],
  ['a fenced block', '```js\nanswers\n```', 0],
  ['the address of a link', '[here](answers.md)', 0],
  ['a generated table', '<!-- bench x -->\n| answers |\n<!-- end of bench x -->', 0],
  ['a connection', 'Send a request.', 0],
])('of %s, it judges what is prose', (_name, markdown, count) => {
  expect(faultsIn('page.md', wordsOf(markdown))).toHaveLength(count);
});

/** Without what is code, an address, or written by a command. */
function wordsOf(markdown: string): string {
  return proseOf(markdown.replaceAll(/<!-- ([\w -]+) -->.*?<!-- end of \1 -->/gs, ''))
    .replaceAll(/(`+).*?\1/gs, '`')
    .replaceAll(/\]\([^)]*\)/g, ']');
}

/** The string literals that begin as sentences do, one in a line, without what is filled in. */
function sentencesIn(code: string): string {
  const strings = code
    .replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '')
    .matchAll(/'([^'\n]* [^'\n]*)'|"([^"\n]* [^"\n]*)"|`([^`]* [^`]*)`/g);
  return [...strings]
    .map(([, single, double, back = '']) =>
      (single ?? double ?? back).replaceAll(/\$\{[^}]*\}/g, ''),
    )
    .filter((text) => /^[\s#…;]*[A-Z]/.test(text))
    .join('\n');
}

function faultsIn(name: string, text: string): string[] {
  const judged = exceptions
    .filter(([page]) => page.test(name))
    .reduce((rest, [, allowed]) => rest.replaceAll(new RegExp(allowed, 'gm'), ''), text);
  return bannedInTexts.flatMap(([pattern, instead]) => {
    const [found] = pattern.exec(judged) ?? [];
    return found === undefined ? [] : [`“${found}”: write “${instead}”`];
  });
}
