import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCursor, sealCursor } from './seal-cursor.js';

const key = 'a key for the cursors of a test';

test('a cursor can be opened', () => {
  for (const id of [0, 1, 100, 2 ** 32 - 1]) expect(openCursor(sealCursor(id, key), key)).toBe(id);
});

test('a cursor does not open with another key', () => {
  expect(openCursor(sealCursor(7, key), `${key}.`)).toBeUndefined();
});

test('a cursor with one changed character does not open', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const cursor = sealCursor(10, key);
  for (let index = 0; index < cursor.length; index++) {
    for (const letter of alphabet) {
      if (letter === cursor[index]) continue;
      const changed = cursor.slice(0, index) + letter + cursor.slice(index + 1);
      expect(openCursor(changed, key)).toBeUndefined();
    }
  }
});

test.each([
  ['nothing', () => ''],
  ['a letter', () => 'x'],
  ['a number', () => '10'],
  ['a cursor without its first letter', () => sealCursor(1, key).slice(1)],
  ['a cursor with an extra letter', () => `${sealCursor(1, key)}A`],
  ['padding', () => '='.repeat(24)],
])('%s does not open', (_name, write) => {
  expect(openCursor(write(), key)).toBeUndefined();
});

test('a cursor is 24 characters that need no escape in a URL', () => {
  for (let id = 0; id < 50; id++) expect(sealCursor(id, key)).toMatch(/^[\w-]{24}$/);
});

test('text that was not sealed never opens, and never throws', () => {
  const text = fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' }));
  fc.assert(fc.property(text, (cursor) => openCursor(cursor, key) === undefined));
});
