import { expect, test } from 'vitest';
import { estimateProgramSize } from './pattern.js';

test.each([
  ['', 0],
  ['abc', 3],
  ['a{3}', 3],
  ['a{2,5}', 5],
  ['(ab){10}', 40],
  ['((a{20}){20}){2}', 884],
  ['[a-z\\]]{4}', 4],
  ['\\p{L}{3}', 3],
  ['a\\{3}', 4],
  ['(((', 0],
  ['a{99999999}', 10],
])('%s needs about %i instructions', (pattern, size) => {
  expect(estimateProgramSize(pattern)).toBe(size);
});

test.each([
  ['\\p{L}{3}', 24],
  ['[^\\p{Lu}a]', 8],
  ['\\\\p', 2],
])('%s needs %i if Unicode classes count eight times', (pattern, size) => {
  expect(estimateProgramSize(pattern, 8)).toBe(size);
});
