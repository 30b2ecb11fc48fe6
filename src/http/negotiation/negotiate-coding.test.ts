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

test('zstd comes first if it is available', () => {
  expect(negotiateCoding('br, zstd', ['br', 'zstd'])).toBe('zstd');
});

test.each([
  ['no header', undefined, 'identity'],
  ['an empty header', '', 'identity'],
  ['what browsers send', 'gzip, deflate, br, zstd', 'br'],
  ['gzip alone', 'gzip', 'gzip'],
  ['the old name of gzip', 'x-gzip', 'gzip'],
  ['any letter case', 'GZip', 'gzip'],
  ['a higher weight for gzip', 'br;q=0.5, gzip;q=0.8', 'gzip'],
  ['equal weights', 'gzip;q=0.5, br;q=0.5', 'br'],
  ['a refusal', 'br;q=0, gzip', 'gzip'],
  ['a refusal with spaces and decimals', 'br ; q=0.000 , gzip', 'gzip'],
  ['everything', '*', 'br'],
  ['everything but brotli', '*, br;q=0', 'gzip'],
  ['nothing but brotli', 'br, *;q=0', 'br'],
  ['identity alone', 'identity', 'identity'],
  ['identity preferred', 'identity, gzip;q=0.5', 'identity'],
  ['identity no better than gzip', 'identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity refused and nothing else offered', 'identity;q=0', undefined],
  ['codings that are unknown here', 'zstd, deflate', 'identity'],
  ['a weight that is no number, as if it were not there', 'gzip;q=high', 'gzip'],
  ['a weight above one, likewise', 'gzip;q=7, br;q=0.9', 'gzip'],
  ['empty items', ',, ;q=1, gzip,', 'gzip'],
] as const)('between br and gzip, %s: %s → %s', (_case, header, encoding) => {
  expect(negotiateCoding(header, ['br', 'gzip'])).toBe(encoding);
});
