import { expect, test } from 'vitest';
import { isRegistered } from './match-redirect.js';

const registered = [
  'https://client.example/callback',
  'http://127.0.0.1/callback',
  'http://localhost:3000/callback?a=1',
  'com.example.app:/callback',
];

test.each([
  ['the same', 'https://client.example/callback', true],
  ['a private scheme', 'com.example.app:/callback', true],
  ['any port of this machine', 'http://127.0.0.1:49152/callback', true],
  ['another port by name', 'http://localhost:1/callback?a=1', true],
  ['a port over 65535', 'http://localhost:99999/callback?a=1', false],
  ['a longer path', 'https://client.example/callback/more', false],
  ['a parent path', 'https://client.example/', false],
  ['another letter case', 'https://client.example/Callback', false],
  ['an additional query', 'https://client.example/callback?x', false],
  ['a port of another host', 'https://client.example:8443/callback', false],
  ['a host with the same beginning', 'https://client.example.evil.example/callback', false],
  ['user information', 'http://127.0.0.1:80@evil.example/callback', false],
  ['user information with a slash after it', 'http://127.0.0.1:@evil.example/callback', false],
  ['a host that begins like localhost', 'http://localhost.evil.example/callback?a=1', false],
  ['another path on this machine', 'http://127.0.0.1:8080/other', false],
  ['a dot segment', 'http://127.0.0.1/x/../callback', false],
  ['an escaped letter', 'https://client.example/c%61llback', false],
  ['https on this machine', 'https://127.0.0.1/callback', false],
  ['a fragment', 'https://client.example/callback#x', false],
  ['another loopback address', 'http://[::1]/callback', false],
])('%s', (_name, given, expected) => {
  expect(isRegistered(given, registered)).toBe(expected);
});
