import { expect, test } from 'vitest';
import {
  parseApiKey,
  parseBearerTokens,
  parseHmacSecret,
  parseKey,
  parseUser,
} from './parse-credentials.js';

test.each([
  ['a:b', { username: 'a', password: 'b' }],
  ['a:b:c', { username: 'a', password: 'b:c' }],
  ['Jäs øn:pass word', { username: 'Jäs øn', password: 'pass word' }],
])('%s is a user', (text, expected) => {
  expect(parseUser(text)).toEqual(expected);
});

test.each(['', 'a', ':b', 'a:', 'a:b\n', 'a\0:b'])('%j is no user', (text) => {
  expect(() => parseUser(text)).toThrow(/a name, a colon and a password/);
});

test.each(['k', 'sk_live-1.2~3', "!#$&'()*+-./:<=>?@[]^_`{|}~"])('%s is an API key', (text) => {
  expect(parseApiKey(text)).toBe(text);
});

test.each(['', 'a b', 'a"', 'a,b', 'a;b', 'a\\b', 'a%20', 'é', 'a\n'])(
  '%j is no API key',
  (text) => {
    expect(() => parseApiKey(text)).toThrow(/printable ASCII/);
  },
);

test('three bearer tokens by comma are those of admin, user and read-only', () => {
  expect(parseBearerTokens('a.b~c+d/e==,u-1,r_2')).toEqual({
    admin: 'a.b~c+d/e==',
    user: 'u-1',
    readOnly: 'r_2',
  });
});

test.each(['', 'a', 'a,b', 'a,b,c,d', 'a,a,b', 'a,,c', 'a, b,c', 'a=b,c,d', 'é,b,c'])(
  '%j are no bearer tokens',
  (text) => {
    expect(() => parseBearerTokens(text)).toThrow(/three different tokens/);
  },
);

test('a secret is anything but nothing, a signing key at least 32 bytes of UTF-8', () => {
  expect(parseHmacSecret(' ')).toBe(' ');
  expect(() => parseHmacSecret('')).toThrow(/cannot be empty/);
  expect(parseKey('é'.repeat(16))).toBe('é'.repeat(16));
  expect(() => parseKey('x'.repeat(31))).toThrow(/at least 32 bytes/);
});
