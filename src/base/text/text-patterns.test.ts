import { describe, expect, test } from 'vitest';
import { controlCharacterFault, notBlankPattern, plainTextPattern } from './text-patterns.js';

const plainText = new RegExp(plainTextPattern, 'u');
const notBlank = new RegExp(notBlankPattern, 'u');

test.each([
  'Ulysses',
  'Gödel, Escher, Bach',
  'عمر‏ (Omar)',
  'نمی‌خواهم',
  '👩‍🔬 works',
  'non breaking\u00a0space',
  ' \u3000indented',
])('%j is a plain text that is not blank', (text) => {
  expect(plainText.test(text)).toBe(true);
  expect(notBlank.test(text)).toBe(true);
  expect(controlCharacterFault(text)).toBeUndefined();
});

test.each(['', ' ', '\u00a0\u3000'])('%j is a plain text, but blank', (text) => {
  expect(plainText.test(text)).toBe(true);
  expect(notBlank.test(text)).toBe(false);
  expect(controlCharacterFault(text)).toBeUndefined();
});

describe.each([
  ['the first control character', '\u0000', 'U+0000'],
  ['a tab', '\t', 'U+0009'],
  ['a line feed', '\n', 'U+000A'],
  ['the last of C0', '\u001f', 'U+001F'],
  ['delete', '\u007f', 'U+007F'],
  ['the first of C1', '\u0080', 'U+0080'],
  ['the last of C1', '\u009f', 'U+009F'],
  ['a line separator', '\u2028', 'U+2028'],
  ['a right-to-left override', '\u202e', 'U+202E'],
  ['a right-to-left isolate', '\u2067', 'U+2067'],
  ['the end of an isolate', '\u2069', 'U+2069'],
  ['the first half of a surrogate pair', '\ud83d', 'U+D83D'],
  ['the second half of a surrogate pair', '\udfff', 'U+DFFF'],
])('%s', (_name, character, code) => {
  test.each([
    [1, character],
    [3, `👍a${character}b`],
    [3, `  ${character}`],
  ])('is found as character %i', (index, text) => {
    expect(plainText.test(text)).toBe(false);
    expect(notBlank.test(text)).toBe(false);
    expect(controlCharacterFault(text)).toBe(
      `must hold no control characters, but ${code} is its character ${index}`,
    );
  });
});

test('a long text with a wrong end is matched in linear time', () => {
  // Quadratic time would be hours.
  expect(notBlank.test(`${' '.repeat(1_000_000)}\n`)).toBe(false);
});
