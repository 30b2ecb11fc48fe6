import { expect, test } from 'vitest';
import { findInexactNumbers } from './find-inexact-numbers.js';

test.each([
  '9007199254740992',
  '-9007199254740991',
  '10000000000000000000000',
  '1.0',
  '0.1',
  '100e-2',
  '1e3',
  '0e999',
  '-0.000',
  '0.1234567890123456',
  '1.7976931348623157e308',
  '5e-324',
  '{"id":"9007199254740993","e\\"1e999":[1]}',
  '"\\\\",1e2',
])('%s is exact as a double', (text) => {
  expect(findInexactNumbers(text)).toEqual([]);
});

test.each([
  ['9007199254740993', 'line 1, column 1', '9007199254740992'],
  ['{"a":1,\n "id": 12345678901234567890}', 'line 2, column 8', '12345678901234567000'],
  ['0.10000000000000000555', 'line 1, column 1', '0.1'],
  ['[1, 1e400]', 'line 1, column 5', 'null'],
  ['-1e400', 'line 1, column 1', 'null'],
  ['1e-400', 'line 1, column 1', '0'],
])('in %s, the number at %s is shown as %s', (text, place, shown) => {
  expect(findInexactNumbers(text)).toEqual([
    expect.stringContaining(`${place} has no exact double`),
  ]);
  expect(findInexactNumbers(text)[0]).toContain(`json shows ${shown},`);
});

test('names at most twenty numbers, and says that there are more', () => {
  const warnings = findInexactNumbers(`[${Array(1000).fill('9007199254740993').join()}]`);
  expect(warnings).toHaveLength(21);
  expect(warnings.at(-1)).toContain('more');
});

test('shows only a few digits of a long number', () => {
  expect(findInexactNumbers('9'.repeat(100_000))[0]?.length).toBeLessThan(250);
});
