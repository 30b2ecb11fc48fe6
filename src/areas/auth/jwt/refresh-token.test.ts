import { expect, test } from 'vitest';
import { keyedMac } from '#http/credentials/keyed-mac.js';
import { formatRefreshToken, parseRefreshToken } from './refresh-token.js';

const mac = keyedMac('a key');
const token = { family: '0123456789abcdef', sequence: 4_000_000_000 };

test('a refresh token has the documented form and can be parsed', () => {
  const text = formatRefreshToken(mac, token);
  expect(text).toMatch(/^jrt_[0-9a-f]{40}$/);
  expect(parseRefreshToken(mac, text)).toEqual(token);
});

test('a refresh token with one changed digit is rejected', () => {
  const text = formatRefreshToken(mac, token);
  for (let index = 4; index < text.length; index++) {
    const changed =
      text.slice(0, index) + (text[index] === '0' ? '1' : '0') + text.slice(index + 1);
    expect(parseRefreshToken(mac, changed), `at ${index}`).toBeUndefined();
  }
});

test('the sequence number has eight digits from the beginning', () => {
  const first = { family: token.family, sequence: 1 };
  expect(formatRefreshToken(mac, first)).toMatch(/^jrt_[0-9a-f]{16}00000001[0-9a-f]{16}$/);
  expect(parseRefreshToken(mac, formatRefreshToken(mac, first))).toEqual(first);
});

test.each<[string, () => string]>([
  ['another key', () => formatRefreshToken(keyedMac('another'), token)],
  ['capitals', () => formatRefreshToken(mac, token).toUpperCase()],
  ['no prefix', () => formatRefreshToken(mac, token).slice(4)],
  ['something before it', () => `x${formatRefreshToken(mac, token)}`],
  ['a digit more', () => `${formatRefreshToken(mac, token)}0`],
  ['a line feed at the end', () => `${formatRefreshToken(mac, token)}\n`],
  ['nothing', () => ''],
])('%s is rejected', (_name, write) => {
  expect(parseRefreshToken(mac, write())).toBeUndefined();
});
