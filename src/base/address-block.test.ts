import { expect, test } from 'vitest';
import { addressBlocks } from './address-block.js';

test.each([
  ['203.0.113.7', ['203.0.113.7']],
  ['::ffff:203.0.113.7', ['203.0.113.7']],
  ['::FFFF:cb00:7107', ['203.0.113.7']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48']],
  ['2001:db8:1:2ff::', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['2001:db8:1:ffff::9', ['2001:db8:1:ffff::/64', '2001:db8:1:ff00::/56', '2001:db8:1::/48']],
  ['2001:DB8::1:0:0:0:1', ['2001:db8:0:1::/64', '2001:db8::/56', '2001:db8::/48']],
  ['::1', ['::/64', '::/56', '::/48']],
  ['fe80::1%eth0', ['fe80::/64', 'fe80::/56', 'fe80::/48']],
  ['unknown', ['unknown']],
  ['__proto__', ['__proto__']],
  ['', ['']],
  ['y'.repeat(5000), ['y'.repeat(100)]],
])('%s counts for %s', (address, blocks) => {
  expect(addressBlocks(address).map(({ name }) => name)).toEqual(blocks);
});

test('wider networks have a larger limit, but less than one per address', () => {
  expect(addressBlocks('2001:db8::1').map(({ share }) => share)).toEqual([1, 2, 4]);
  expect(addressBlocks('203.0.113.7').map(({ share }) => share)).toEqual([1]);
});
