import { expect, test } from 'vitest';
import {
  anchorsOf,
  codeExamples,
  excerpts,
  failureRows,
  fencedBlocks,
  headingsOf,
  linksOf,
  savedFiles,
  sectionOf,
} from './markdown.js';

const markdown = [
  '# Title: with `code`',
  'See [there](there.md#a-place) and `[not](this)`.',
  '```js run',
  '# no heading',
  "console.log('[nor](this)');",
  '```',
  '',
  '```text',
  'shown',
  '```',
  '## What each failure means',
  '| Status | Message | What to do |',
  '| --- | --- | --- |',
  '| 401 | `There is no … header.` | send it |',
  '```python run',
  'assert True',
  '```',
  'Something between.',
  '```text',
  'of its own',
  '```',
  '```js from examples/one.js',
  'excerpt',
  '```',
  '```js as one.mjs',
  'export {};',
  '```',
  '## Title: with `code`',
  'The end.',
].join('\n');

test('finds fenced blocks with their info strings', () => {
  expect(fencedBlocks(markdown).map(({ info, line }) => [info, line])).toEqual([
    ['js run', 3],
    ['text', 8],
    ['python run', 15],
    ['text', 19],
    ['js from examples/one.js', 22],
    ['js as one.mjs', 25],
  ]);
});

test('reads the output of code only from the text block right after it', () => {
  expect(codeExamples(markdown)).toEqual([
    {
      language: 'js',
      code: "# no heading\nconsole.log('[nor](this)');",
      output: 'shown',
      line: 3,
    },
    { language: 'python', code: 'assert True', output: undefined, line: 15 },
  ]);
});

test('finds excerpts with their file', () => {
  expect(excerpts(markdown)).toEqual([{ path: 'examples/one.js', text: 'excerpt', line: 22 }]);
});

test('finds files to save with their name', () => {
  expect(savedFiles(markdown)).toEqual([{ name: 'one.mjs', text: 'export {};' }]);
});

test('finds headings and their anchors outside code, repeated ones numbered', () => {
  expect(headingsOf(markdown).map(({ level }) => level)).toEqual([1, 2, 2]);
  expect([...anchorsOf(markdown)]).toEqual([
    'title-with-code',
    'what-each-failure-means',
    'title-with-code-1',
  ]);
});

test('finds links outside code', () => {
  expect(linksOf(markdown)).toEqual(['there.md#a-place']);
});

test('finds a section and the failures in its table', () => {
  expect(sectionOf(markdown, 'None')).toBeUndefined();
  expect(sectionOf(markdown, 'Title: with `code`')).toBe('The end.');
  expect(failureRows(markdown)).toEqual([{ status: '401', message: 'There is no … header.' }]);
});
