import { expect, test } from 'vitest';
import { negotiateCoding } from './negotiate-coding.js';

test.each([
  ['no header', undefined, 'identity'],
  ['an empty header', '', 'identity'],
  ['one', 'gzip', 'gzip'],
  ['the older name', 'x-gzip', 'gzip'],
  ['several', 'gzip, deflate, br', 'br'],
  ['weights', 'br;q=0.1, deflate;q=0.9, gzip;q=0.5', 'deflate'],
  ['anything', '*', 'br'],
  ['anything but one', 'br;q=0, *', 'gzip'],
  ['anything at a lower weight', 'gzip, *;q=0.5', 'gzip'],
  ['identity by its weight', 'gzip;q=0.5, identity', 'identity'],
  ['identity at the same weight', 'gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['one that is not there', 'zstd', 'identity'],
  ['none known', 'compress', 'identity'],
  ['a rejection of one', 'gzip;q=0', 'identity'],
  ['a rejection of identity', 'identity;q=0, gzip;q=0.1', 'gzip'],
  ['a rejection of everything', '*;q=0', undefined],
  ['a rejection of all else', 'identity, *;q=0', 'identity'],
  ['a rejection of identity alone', 'identity;q=0', undefined],
])('Accept-Encoding with %s', (_name, header, expected) => {
  expect(negotiateCoding(header, ['gzip', 'deflate', 'br'])).toBe(expected);
});

test('zstd comes first where it is there', () => {
  expect(negotiateCoding('br, zstd', ['br', 'zstd'])).toBe('zstd');
});
