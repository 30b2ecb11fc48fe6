import { expect, test } from 'vitest';
import { findText } from './find-text.js';

test.each([
  ['count to 3', 'to', 6],
  ['aaaab', 'aab', 2],
  ['abababac', 'ababac', 2],
  ['abc', 'abcd', -1],
  ['abc', '', -1],
  ['', 'a', -1],
  ['aXbX', 'X', 1],
])('in %s, %s is at %d', (text, wanted, at) => {
  expect(findText(text, wanted)).toBe(at);
});

test('a repetitive text needs linear time', () => {
  const text = 'a'.repeat(400_000);
  for (let length = 1000; length < 200_000; length += 4000) {
    expect(findText(text, `${'a'.repeat(length)}b`)).toBe(-1);
  }
});
