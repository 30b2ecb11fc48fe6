import { expect, test } from 'vitest';
import { optionalWhitespace, trimBothOf, trimEndOf } from './trim-characters.js';

test.each([
  ['', '', ''],
  [' \t ', '', ''],
  [' a b\t', ' a b', 'a b'],
  ['a', 'a', 'a'],
  ['\na ', '\na', '\na'],
])('trims spaces and tabs of %j', (text, atEnd, atBothEnds) => {
  expect(trimEndOf(text, optionalWhitespace)).toBe(atEnd);
  expect(trimBothOf(text, optionalWhitespace)).toBe(atBothEnds);
});
