import { expect, test } from 'vitest';
import { networkUrls } from './network-urls.js';

const interfaces = {
  lo: [
    { address: '127.0.0.1', family: 'IPv4', internal: true },
    { address: '::1', family: 'IPv6', internal: true },
  ],
  wlan0: [
    { address: '2001:db8::5', family: 'IPv6', internal: false },
    { address: 'fe80::1', family: 'IPv6', internal: false },
    { address: '192.168.1.5', family: 'IPv4', internal: false },
  ],
  docker0: [{ address: '172.17.0.1', family: 'IPv4', internal: false }],
  gone: undefined,
} as const;

test.each([
  ['0.0.0.0', ['http://192.168.1.5:3000', 'http://172.17.0.1:3000']],
  ['::', ['http://192.168.1.5:3000', 'http://172.17.0.1:3000', 'http://[2001:db8::5]:3000']],
  ['localhost', []],
  ['127.0.0.1', []],
  ['192.168.1.5', []],
])('a service on %s is at %j for other machines', (host, expected) => {
  expect(networkUrls(host, 3000, interfaces).map(({ url }) => url)).toEqual(expected);
});

test('each URL has the name of its network interface', () => {
  expect(networkUrls('0.0.0.0', 80, interfaces)[0]).toEqual({
    url: 'http://192.168.1.5:80',
    name: 'wlan0',
  });
});
