import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseWeighted } from './parse-weighted.js';

test.each<[string, [string, number | undefined][]]>([
  ['application/json', [['application/json', 1]]],
  ['Application/JSON', [['application/json', 1]]],
  [
    'text/html, application/json;q=0.9,*/*; q=0.1',
    [
      ['text/html', 1],
      ['application/json', 0.9],
      ['*/*', 0.1],
    ],
  ],
  ['application/json;charset=utf-8;Q=0.5', [['application/json', 0.5]]],
  [
    'a/b;title="x, y; q=0.1", c/d',
    [
      ['a/b', 1],
      ['c/d', 1],
    ],
  ],
  ['a/b;q=0', [['a/b', 0]]],
  ['a/b;q=1.000', [['a/b', 1]]],
  ['a/b;q=much', [['a/b', undefined]]],
  ['a/b;q=2', [['a/b', undefined]]],
  ['a/b;q=', [['a/b', undefined]]],
  [
    'GZip, , br ; q=0.5',
    [
      ['gzip', 1],
      ['br', 0.5],
    ],
  ],
  ['', []],
])('%j', (header, expected) => {
  expect(parseWeighted(header).map(({ value, weight }) => [value, weight])).toEqual(expected);
});

test('no header makes it throw or take long', () => {
  const header = fc.string({ unit: fc.constantFrom(...'a/b;q=0.5,*" \\'), maxLength: 200 });
  fc.assert(fc.property(header, (text) => Array.isArray(parseWeighted(text))));
  expect(parseWeighted('"'.repeat(16_000))).toHaveLength(1);
  expect(parseWeighted(`a/b;"${'\\"'.repeat(8000)}`)).toEqual([{ value: 'a/b', weight: 1 }]);
});
