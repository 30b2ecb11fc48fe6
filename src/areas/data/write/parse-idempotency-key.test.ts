import { expect, test } from 'vitest';
import { HttpError } from '../../../http/http-error.js';
import { parseIdempotencyKey } from './parse-idempotency-key.js';

test.each([
  ['none', [], undefined],
  ['a string in quotes', ['"8e03978e"'], '8e03978e'],
  ['the same without', ['8e03978e'], '8e03978e'],
  ['white space around it', [' \t"a" '], 'a'],
  ['quotes and backslashes', ['"a\\"b\\\\c"'], 'a"b\\c'],
  ['spaces and commas in quotes', ['"a, b; c"'], 'a, b; c'],
  ['parameters', ['"a";v=1'], 'a'],
  ['the longest', ['x'.repeat(255)], 'x'.repeat(255)],
  ['the longest in quotes', [`"${'\\"'.repeat(255)}"`], '"'.repeat(255)],
])('%s', (_name, values, expected) => {
  expect(parseIdempotencyKey(values)).toBe(expected);
});

test.each([
  ['an empty header', ['']],
  ['an empty string', ['""']],
  ['one that is too long', ['x'.repeat(256)]],
  ['one that is too long in quotes', [`"${'x'.repeat(256)}"`]],
  ['an open quote', ['"a']],
  ['a quote inside', ['a"b']],
  ['an escape of another character', ['"a\\n"']],
  ['two in one header', ['"a", "b"']],
  ['two without quotes', ['a, b']],
  ['two headers', ['"a"', '"a"']],
  ['characters beyond ASCII', ['"é"']],
  ['a space without quotes', ['a b']],
])('%s is rejected', (_name, values) => {
  expect(() => parseIdempotencyKey(values)).toThrow(HttpError);
});
