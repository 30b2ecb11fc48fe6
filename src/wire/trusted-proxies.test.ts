import { expect, test } from 'vitest';
import { trustedProxies } from './trusted-proxies.js';

const some = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'];

test.each<[boolean | readonly string[], string, boolean]>([
  [true, '203.0.113.9', true],
  [false, '127.0.0.1', false],
  [some, '10.255.0.1', true],
  [some, '11.0.0.1', false],
  [some, '192.0.2.7', true],
  [some, '192.0.2.8', false],
  [some, '2001:db8:1::5', true],
  [some, '2001:db9::5', false],
  [some, '::1', true],
  [some, '::2', false],
  // A dual-stack socket reports an IPv4 client in this form.
  [some, '::ffff:10.1.2.3', true],
  [some, '::ffff:11.1.2.3', false],
  // A caller may write this into X-Forwarded-For.
  [some, 'unknown', false],
  [some, '10.0.0.1:4711', false],
  [some, '', false],
])('of proxies %j, %s is trusted: %s', (trustProxy, address, expected) => {
  expect(trustedProxies({ trustProxy })(address)).toBe(expected);
});
