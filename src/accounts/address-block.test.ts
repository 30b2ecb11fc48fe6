import { expect, test } from 'vitest';
import { addressBlock } from './address-block.js';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:DB8::1:0:0:0:1', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['__proto__', '__proto__'],
  ['', ''],
  ['y'.repeat(5000), 'y'.repeat(100)],
])('%s counts as %s', (address, block) => {
  expect(addressBlock(address)).toBe(block);
});
