import { expect, test } from 'vitest';
import { gotParameter, gotValue } from './got-value.js';

test.each([
  ['a string', 'limit', 'abc', '; got "abc"'],
  ['an empty string', 'limit', '', '; got ""'],
  ['a string with quotes', 'limit', 'a"b', '; got "a\\"b"'],
  ['a string of 40 characters', 'q', 'a'.repeat(40), `; got "${'a'.repeat(40)}"`],
  ['a longer string', 'q', 'a'.repeat(41), `; got "${'a'.repeat(40)}…"`],
  ['40 characters of two code units', 'q', '😀'.repeat(40), `; got "${'😀'.repeat(40)}"`],
  ['41 characters of two code units', 'q', '😀'.repeat(41), `; got "${'😀'.repeat(40)}…"`],
  ['a line break', 'q', 'a\nb', '; got "a\\nb"'],
  ['a character that turns text round', 'q', 'a\u202eb', '; got "a\\u202eb"'],
  ['an invisible character of two code units', 'q', '\u{e0001}', '; got "\\udb40\\udc01"'],
  ['half of a surrogate pair', 'q', '\ud800', '; got "\\ud800"'],
  ['a number', 'stars', 9, '; got 9'],
  ['a boolean', 'stars', true, '; got true'],
  ['null', 'stars', null, '; got null'],
  ['an object', 'stars', { a: 1 }, '; got an object'],
  ['an array', 'stars', [1], '; got an array'],
  ['nothing', 'stars', undefined, ''],
  ['a password', 'password', 'hush', ''],
  ['a secret inside another field', 'clients.0.clientSecret', 'hush', ''],
  ['a refresh token', 'refresh_token', 'hush', ''],
  ['an API key', 'api_key', 'hush', ''],
  ['credentials', 'Authorization', 'Basic aHVzaA==', ''],
])('%s', (_name, field, value, expected) => {
  expect(gotValue(field, value)).toBe(expected);
});

test.each([
  ['text is quoted, whatever it was parsed to', 12, '; got "12"'],
  ['one value of a list is that value', ['12'], '; got "12"'],
  ['several values are counted', ['1', '2'], '; got 2 values'],
  ['null, which no text is', null, '; got null'],
])('of a parameter, %s', (_name, value, expected) => {
  expect(gotParameter('limit', value)).toBe(expected);
});
