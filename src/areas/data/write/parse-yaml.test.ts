import { expect, test } from 'vitest';
import { parseYaml } from './parse-yaml.js';

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

test.each([
  ['a mapping', 'a: 1\nb: [x, "y"]', { a: 1, b: ['x', 'y'] }],
  ['comments and a document start', '# c\n--- # d\na: {b: null}\n...\n', { a: { b: null } }],
  ['nothing', '', null],
  ['999 values', lines(999, (index) => `- &a${index} !!str v`), Array(999).fill('v')],
  ['a mapping of 999 keys', `{${lines(999, (index) => `? k${index} : v,`)}}`, expect.any(Object)],
  ['nested lists', `${'['.repeat(400)}x${',]'.repeat(400)}`, expect.any(Array)],
])('parses %s', (_name, text, value) => {
  expect(parseYaml(text)).toEqual(value);
});

test.each([
  ['a key that is repeated', 'a: 1\nb: 2\na: 3', 'Map keys must be unique at line 3, column 1'],
  ['a key that is repeated in a flow mapping', '{a: 1, a: 2}', 'Map keys must be unique'],
  ['an alias', 'a: &a [x]\nb: *a', 'Alias'],
  ['two documents', '--- a\n--- b', 'Source contains multiple documents at line 2, column 1'],
  ['a bad escape', 'a: "\\q"\nb: "\\w"', 'Invalid escape sequence \\q at line 1, column 5'],
  ['many bad escapes', `a: "${'\\q'.repeat(101)}"`, 'More than 100 invalid escapes'],
  ['a fault before a stray bracket', '{a: 1, a: 2}\n]', 'Map keys must be unique'],
  ['stray brackets', ']'.repeat(1000), 'at line 1, column 1'],
  ['many directives', '%A\n'.repeat(101), 'More than 100 directives'],
  ['many anchors', '&a '.repeat(5001), 'More than 5000 anchors'],
  ['many keys', lines(2001, (index) => `k${index}: v`), 'More than 1000 values'],
  ['many items', '- v\n'.repeat(1001), 'More than 1000 values'],
  ['deep lists', '['.repeat(60_000), 'More than 1000 values'],
])('rejects %s', (_name, text, message) => {
  expect(() => parseYaml(text)).toThrow(message);
});
