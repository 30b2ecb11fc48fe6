import { expect, test } from 'vitest';
import { consoleBlocks, isAsShown } from './console-blocks.js';

test('finds commands with their output, and nothing outside console blocks', () => {
  const markdown = [
    'Text with `$ code`.',
    '```sh',
    '$ not this',
    '```',
    '```console',
    '$ one \\',
    '    --more',
    'printed',
    '',
    'twice',
    '$ two',
    '```',
    '$ nor this',
  ].join('\n');
  expect(consoleBlocks(markdown)).toEqual([
    { command: 'one \\\n    --more', output: 'printed\n\ntwice', line: 6 },
    { command: 'two', output: '', line: 11 },
  ]);
});

test.each([
  ['{"a":1}', '{"a":1}', true],
  ['{"a":1}\n', '{"a":1}', true],
  ['{"a":2}', '{"a":1}', false],
  ['{"at":"2030-01-01"}', '{"at":"…"}', true],
  ['one\ntwo\nthree', 'one\n…\nthree', true],
  ['one\r\ntwo', 'one\ntwo', true],
  ['more than shown', 'more', false],
  ['', 'something', false],
])('%j as %j: %s', (printed, shown, expected) => {
  expect(isAsShown(printed, shown)).toBe(expected);
});
