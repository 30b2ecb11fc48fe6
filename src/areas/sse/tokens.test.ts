import { expect, test } from 'vitest';
import { piecesOf } from './tokens.js';

test.each([
  ['words', 'one two', ['one', ' two']],
  ['a word', 'one', ['one']],
  ['nothing', '', []],
  ['white space alone', ' \n', [' \n']],
  ['white space at the ends', ' a\n\nb ', [' a', '\n\nb ']],
  ['letters of several units', '😀 é', ['😀', ' é']],
])('%s', (_name, text, pieces) => {
  expect(piecesOf(text)).toEqual(pieces);
  expect(pieces.join('')).toBe(text);
});
