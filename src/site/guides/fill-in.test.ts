import { expect, test } from 'vitest';
import { fillInBaseUrl, fillInCredentials } from './fill-in.js';

const place = 'base-url.invalid';

test.each([
  ['an address', `http://${place}/a`, 'http://me.test/a', 'https://me.test/s/x/a'],
  ['one without a scheme', `curl ${place}/a`, 'curl me.test/a', 'curl https://me.test/s/x/a'],
  ['a socket', `ws://${place}/a`, 'ws://me.test/a', 'wss://me.test/s/x/a'],
  ['with a user', `http://a:b@${place}/a`, 'http://a:b@me.test/a', 'http://a:b@me.test/a'],
  ['a host', `Host: ${place}`, 'Host: me.test', 'Host: me.test'],
  ['another scheme', `telnet://${place}/`, 'telnet://me.test/', 'telnet://me.test/'],
  ['both', `${place} ${place}/`, 'me.test me.test/', 'me.test https://me.test/s/x/'],
])('%s', (_name, text, plain, below) => {
  expect(fillInBaseUrl(text, 'http://me.test')).toBe(plain);
  expect(fillInBaseUrl(text, 'https://me.test/s/x')).toBe(below);
});

test('credentials of the service replace the documented credentials', () => {
  const replacements = [
    ['demo:basic-secret', 'ada:own-secret'],
    ['basic-secret', 'own-secret'],
  ] as const;
  expect(fillInCredentials('-u demo:basic-secret basic-secret demo', replacements)).toBe(
    '-u ada:own-secret own-secret demo',
  );
});
