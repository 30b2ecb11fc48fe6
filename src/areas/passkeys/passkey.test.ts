import { expect, test } from 'vitest';
import { mayFollow, userHandle } from './passkey.js';

test.each([
  [1, 0, true],
  [9, 3, true],
  [0, 0, true],
  [3, 3, false],
  [2, 3, false],
  [0, 3, false],
])('a counter of %i after one of %i: %s', (counter, before, may) => {
  expect(mayFollow(counter, before)).toBe(may);
});

test('a user has a handle of 32 bytes in each sandbox', () => {
  expect(Buffer.from(userHandle('a', 'ada'), 'base64url')).toHaveLength(32);
  expect(userHandle('a', 'ada')).toBe(userHandle('a', 'ada'));
  expect(userHandle('a', 'ada')).not.toBe(userHandle('b', 'ada'));
});
