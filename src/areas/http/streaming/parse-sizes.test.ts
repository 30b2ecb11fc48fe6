import { expect, test } from 'vitest';
import { parseSizes } from './parse-sizes.js';

test.each([
  ['one', '5', [5]],
  ['several', '1,2,3', [1, 2, 3]],
  ['white space', '1, 2', [1, 2]],
  ['the largest size', '65536', [65536]],
  ['a hundred', Array(100).fill(1).join(), Array(100).fill(1)],
])('%s', (_name, text, sizes) => {
  expect(parseSizes(text)).toEqual(sizes);
});

test.each([
  ['nothing', ''],
  ['zero, which would end the body', '1,0,2'],
  ['too large', '65537'],
  ['a hundred and one sizes', Array(101).fill(1).join()],
  ['a sign', '-1'],
  ['a fraction', '1.5'],
  ['an empty size', '1,,2'],
  ['letters', 'a'],
])('%s is not a list of sizes', (_name, text) => {
  expect(parseSizes(text)).toBeUndefined();
});
