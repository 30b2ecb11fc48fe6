import { expect, test } from 'vitest';
import {
  accountKeyLength,
  hashOf,
  newAccountId,
  newAccountKey,
  parseAccountKey,
} from './account-key.js';

test('a new key is one word that contains the account id', () => {
  const id = newAccountId();
  const key = newAccountKey(id);
  expect(key).toMatch(/^\w+$/);
  expect(key).toHaveLength(accountKeyLength);
  expect(parseAccountKey(key)).toEqual({ accountId: id, hash: hashOf(key) });
});

test('keys and ids are unique', () => {
  const keys = Array.from({ length: 1000 }, () => newAccountKey('0'.repeat(24)));
  expect(new Set(keys).size).toBe(1000);
  expect(new Set(keys.map(() => newAccountId())).size).toBe(1000);
});

const key = newAccountKey('0123456789abcdef01234567');
test.each([
  ['empty', ''],
  ['cut short', key.slice(0, -1)],
  ['one character longer', `${key}0`],
  ['in capitals', key.toUpperCase()],
  ['with a space', ` ${key.slice(1)}`],
  ['of another kind', key.replace('psk', 'pat')],
  ['with a line end', `${key.slice(0, -1)}\n`],
  ['mistyped', key.slice(0, 40) + (key[40] === '0' ? '1' : '0') + key.slice(41)],
  ['named like a prototype', '__proto__'],
  ['huge', 'psk_'.repeat(4000)],
])('%s is not a key', (_case, text) => {
  expect(parseAccountKey(text)).toBeUndefined();
});
