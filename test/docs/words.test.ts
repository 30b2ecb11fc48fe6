/** Everything that people read is in plain English: comments, names, titles, messages, pages and guides. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { root, texts } from './pages.js';
import { readableTexts } from './readable-texts.js';
import { exceptions, wordRules } from './word-rules.js';

const programs = ['src', 'pages', 'test', 'lab', 'scripts', 'examples', 'clients'].flatMap(
  (folder) => filesIn(folder).filter((name) => /\.(?:[cm]?[jt]s|tsx|html)$/.test(name)),
);

describe.each([...texts, ...programs])('%s', (file) => {
  test('is in plain English', () => {
    expect(faultsIn(file, readFileSync(new URL(file, root), 'utf8'))).toEqual([]);
  });
});

test.each([
  ['a comment', 'a.ts', '/** What it gives. */', 2],
  ['a name', 'a.ts', 'const theAnswer = 1;', 1],
  ['a name of a library', 'a.ts', 'library.answer();', 0],
  ['a title', 'a.test.ts', "test('it answers', () => {});", 1],
  ['a text in a test', 'a.test.ts', "send('it answers');", 0],
  ['a message', 'a.ts', "throw new Error('it answers with 404');", 1],
  ['prose', 'a.md', 'It answers with 404.', 1],
  ['a code span', 'a.md', 'See `answers` there.', 0],
  ['a fenced block', 'a.md', '```js\nanswers\n```', 0],
  ['the URL of a link', 'a.md', '[here](answers.md)', 0],
  ['a generated table', 'a.md', '<!-- bench x -->\n| answers |\n<!-- end of bench x -->', 0],
  ['a page', 'a.html', '<p class="answer">It answers.</p>', 1],
])('%s is judged', (_what, file, source, count) => {
  expect(faultsIn(file, source)).toHaveLength(count);
});

function faultsIn(file: string, source: string): string[] {
  const allowed = exceptions.filter(([files]) => files.test(file)).map(([, words]) => words);
  return readableTexts(file, source).flatMap(({ place, text }) => {
    const judged = allowed.reduce((rest, words) => rest.replaceAll(words, ''), text);
    return wordRules.flatMap(({ pattern, instead, places }) => {
      if (!places.includes(place)) return [];
      const found = pattern.exec(judged);
      if (found === null) return [];
      const around = judged.slice(Math.max(0, found.index - 40), found.index + 60);
      return `${place}: “${found[0]}”: write “${instead}”: ${around.replaceAll(/\s+/g, ' ')}`;
    });
  });
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => !/(?:^|\/)(?:node_modules|dist)\//.test(name))
      .map((name) => `${folder}/${name}`)
      .sort();
  } catch {
    return [];
  }
}
