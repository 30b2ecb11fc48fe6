import { expect, test } from 'vitest';
import { isAnyAddress } from './is-any-address.js';

test.each([
  ['0.0.0.0', true],
  ['0', true],
  ['::', true],
  ['0:0:0:0:0:0:0:0', true],
  ['::ffff:0.0.0.0', true],
  ['localhost', false],
  ['127.0.0.1', false],
  ['192.168.1.5', false],
  ['::1', false],
  ['not an address', false],
])('%s stands for all addresses: %s', (host, expected) => {
  expect(isAnyAddress(host)).toBe(expected);
});
