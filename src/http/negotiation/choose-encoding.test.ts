import { expect, test } from 'vitest';
import { chooseEncoding } from './choose-encoding.js';

test.each([
  ['no header', undefined, undefined],
  ['an empty header', '', undefined],
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
  ['identity alone', 'identity', undefined],
  ['identity preferred', 'identity, gzip;q=0.5', undefined],
  ['identity no better than gzip', 'identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity refused and nothing else offered', 'identity;q=0', undefined],
  ['codings that are unknown here', 'zstd, deflate', undefined],
  ['a weight that is no number, as if it were not there', 'gzip;q=high', 'gzip'],
  ['a weight above one, likewise', 'gzip;q=7, br;q=0.9', 'gzip'],
  ['empty items', ',, ;q=1, gzip,', 'gzip'],
] as const)('%s: %s → %s', (_case, header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});
