import { expect, test } from 'vitest';
import { parseUser } from './user.js';

test.each([
  ['a:b', { username: 'a', password: 'b' }],
  ['a:b:c', { username: 'a', password: 'b:c' }],
  ['Jäs øn:pass word', { username: 'Jäs øn', password: 'pass word' }],
])('%s is a user', (text, expected) => {
  expect(parseUser(text)).toEqual(expected);
});

test.each(['', 'a', ':b', 'a:', 'a:b\n', 'a\0:b'])('%j is not a user', (text) => {
  expect(() => parseUser(text)).toThrow(/a name, a colon and a password/);
});
