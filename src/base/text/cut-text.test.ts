import { expect, test } from 'vitest';
import { cutText } from './cut-text.js';

test.each([
  ['a short text', 'abc', 'abc'],
  ['a text of the greatest length', 'abcd', 'abcd'],
  ['a longer text', 'abcde', 'abcd…'],
])('%s', (_name, text, expected) => {
  expect(cutText(text, 4)).toBe(expected);
});
