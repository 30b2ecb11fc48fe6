import { expect, test } from 'vitest';
import { HttpError } from '../http-error.js';
import { parseIdempotencyKey } from './parse-idempotency-key.js';

test.each([
  ['none', [], undefined],
  ['a string in quotes', ['"8e03978e"'], '8e03978e'],
  ['a string without quotes', ['8e03978e'], '8e03978e'],
  ['surrounding white space', [' \t"a" '], 'a'],
  ['quotes and backslashes', ['"a\\"b\\\\c"'], 'a"b\\c'],
  ['spaces and commas in quotes', ['"a, b; c"'], 'a, b; c'],
  ['parameters', ['"a";v=1'], 'a'],
  ['the longest key', ['x'.repeat(255)], 'x'.repeat(255)],
  ['the longest key in quotes', [`"${'\\"'.repeat(255)}"`], '"'.repeat(255)],
])('%s', (_name, values, expected) => {
  expect(parseIdempotencyKey(values)).toBe(expected);
});

test.each([
  ['an empty header', ['']],
  ['an empty string', ['""']],
  ['a key that is too long', ['x'.repeat(256)]],
  ['a key in quotes that is too long', [`"${'x'.repeat(256)}"`]],
  ['an open quote', ['"a']],
  ['a quote inside', ['a"b']],
  ['an escape of another character', ['"a\\n"']],
  ['two keys in one header', ['"a", "b"']],
  ['two keys without quotes', ['a, b']],
  ['two headers', ['"a"', '"a"']],
  ['non-ASCII characters', ['"é"']],
  ['a space without quotes', ['a b']],
])('%s is rejected', (_name, values) => {
  expect(() => parseIdempotencyKey(values)).toThrow(HttpError);
});
