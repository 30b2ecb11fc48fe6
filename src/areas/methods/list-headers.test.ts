import { expect, test } from 'vitest';
import { listHeaders } from './list-headers.js';

test.each([
  ['nothing', [], {}],
  [
    'names in their original letter case',
    ['X-One', '1', 'x-two', '2'],
    { 'X-One': '1', 'x-two': '2' },
  ],
  [
    'repetitions as an array in order',
    ['A', '1', 'B', 'x', 'A', '2', 'A', '3'],
    { A: ['1', '2', '3'], B: 'x' },
  ],
  [
    'repetitions in another case under the first name',
    ['Cookie', 'a=1', 'cookie', 'b=2'],
    { Cookie: ['a=1', 'b=2'] },
  ],
  ['empty values', ['X', '', 'X', ''], { X: ['', ''] }],
])('lists %s', (_name, rawHeaders, expected) => {
  expect({ ...listHeaders(rawHeaders) }).toEqual(expected);
});

test('a header named __proto__ is an ordinary header', () => {
  const headers = listHeaders(['__proto__', 'x']);
  expect(JSON.stringify(headers)).toBe('{"__proto__":"x"}');
});
