import { expect, test } from 'vitest';
import { isHost, normalizeHost } from './normalize-host.js';

test.each([
  ['http', 'api.example.com', 'api.example.com'],
  ['http', 'API.Example.COM', 'api.example.com'],
  ['http', 'api.example.com:80', 'api.example.com'],
  ['https', 'api.example.com:443', 'api.example.com'],
  ['https', 'api.example.com:80', 'api.example.com:80'],
  ['http', 'api.example.com:', 'api.example.com'],
  ['http', 'api.example.com:0080', 'api.example.com'],
  ['http', 'api.example.com:08080', 'api.example.com:8080'],
  ['http', 'api.example.com:65535', 'api.example.com:65535'],
  ['http', 'api.example.com.', 'api.example.com.'],
  ['http', 'my_service-1', 'my_service-1'],
  ['http', '127.0.0.1:3000', '127.0.0.1:3000'],
  ['http', '127.1', '127.1'],
  ['http', 'xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
  ['http', '1.example', '1.example'],
  ['http', '[::1]:3000', '[::1]:3000'],
  ['http', '[0:0:0:0:0:0:0:1]', '[::1]'],
  ['http', '[2001:DB8::A]:80', '[2001:db8::a]'],
])('%s://%s is at %s', (scheme, text, expected) => {
  expect(normalizeHost(text, scheme)).toBe(expected);
  expect(isHost(text)).toBe(true);
});

test.each([
  '',
  ':80',
  '.',
  '.example.com',
  'example..com',
  'example.com..',
  'example.com:65536',
  'example.com:99999999999999999999',
  'example.com:-1',
  'example.com:80:80',
  'user@example.com',
  'example.com/path',
  'a"><script>',
  'ex%61mple.com',
  '[]',
  '[::1',
  '[:::1]',
  '[1.2.3.4]',
  '::1',
  '1.2.3.999',
  '1.2.3.4.5',
  '08',
  'a.0x',
  'a.1',
  '4294967296',
  'xn--a',
  'a;b',
  'a,b',
])('%j is not a host', (text) => {
  expect(normalizeHost(text, 'http')).toBeUndefined();
  expect(isHost(text)).toBe(false);
});
