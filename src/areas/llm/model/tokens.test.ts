import { expect, test } from 'vitest';
import { countTokens, piecesOf } from './tokens.js';

const samples = [
  '',
  'Hello, world!',
  ' '.repeat(17),
  `${' '.repeat(33)}a`,
  `a${'\t\n\u00a0\ufeff\u2028'.repeat(7)}b`,
  'Größe¡¿ñandú',
  '日本語テキスト、はい。',
  '𝒜𝒷𝒸𝒹𝒺😀😀 𐐷',
  'e\u0301e\u0301e\u0301',
  '\ud800a\udc00 \udfff',
  'a_1b2c3 __',
];

test.each(samples)('counts the tokens of %j that are sent', (text) => {
  expect(countTokens(text)).toBe([...piecesOf(text)].length);
  expect([...piecesOf(text)].join('')).toBe(text);
});

test('counts each character, at an end and between others', () => {
  for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 97) {
    const character = String.fromCodePoint(code);
    const text = `ab${character}cd ${character}${character}`;
    if (countTokens(text) !== [...piecesOf(text)].length) expect.fail(`U+${code.toString(16)}`);
  }
});
