import { expect, test } from 'vitest';
import { cutBySizes, parseFragmentSizes } from './cut-by-sizes.js';

test.each([
  ['one', '5', [5]],
  ['several, with white space', '1, 2,3', [1, 2, 3]],
  ['an empty fragment', '0', [0]],
  ['the largest', '1048576', [1048576]],
  ['nothing', '', undefined],
  ['too large', '1048577', undefined],
  ['a sign', '-1', undefined],
  ['a fraction', '1.5', undefined],
  ['letters', '1,a', undefined],
  ['too many', Array(101).fill(1).join(), undefined],
])('sizes: %s', (_name, text, sizes) => {
  expect(parseFragmentSizes(text)).toEqual(sizes);
});

test.each([
  ['with something left', 10, [1, 2, 3], [1, 2, 3, 4]],
  ['to the byte', 6, [1, 2, 3], [1, 2, 3]],
  ['short', 2, [1, 2, 3], [1, 1]],
  ['empty', 0, [1, 2], [0]],
  ['with empty fragments', 2, [0, 1, 0], [0, 1, 0, 1]],
])('a message %s', (_name, length, sizes, cut) => {
  expect(cutBySizes(length, sizes)).toEqual(cut);
});
