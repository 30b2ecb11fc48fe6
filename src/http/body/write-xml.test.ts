import { expect, test } from 'vitest';
import { textPieces, writeXml } from './write-xml.js';

test('XML in pieces has the same elements and texts', () => {
  const text = `${'&<'.repeat(40_000)}😀\u0001`;
  const value = {
    id: 1,
    tags: Array.from({ length: 2000 }, (_, index) => index),
    text,
    inner: { a: null, b: [] },
  };
  const pieces = [...writeXml('book', value, new Map())];
  const tags = value.tags.map((each) => `<tag>${each}</tag>`).join('');
  const escaped = `${'&amp;&lt;'.repeat(40_000)}😀\ufffd`;
  const none = '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>';
  expect(pieces.join('')).toBe(
    `<book><id>1</id><tags>${tags}</tags><text>${escaped}</text><inner>${none}<b></b></inner></book>`,
  );
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
});

test('a text is cut between characters, not inside a surrogate pair', () => {
  const text = `x${'😀'.repeat(40_000)}`;
  const pieces = [...textPieces(text)];
  expect(pieces.join('')).toBe(text);
  expect(pieces.every((piece) => !/\p{Surrogate}/u.test(piece))).toBe(true);
  expect(pieces.length).toBeGreaterThan(2);
});
