import { expect, test } from 'vitest';
import { namedParty, relyingParty } from './relying-party.js';

test.each([
  ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
  ['https://api.example/s/a', 'api.example', 'https://api.example'],
  ['http://127.0.0.1:3000', undefined, 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', undefined, 'http://[::1]:3000'],
])('%s is %s', (baseUrl, id, origin) => {
  expect(relyingParty(baseUrl)).toEqual({ id, origin });
});

test('an IP address is rejected, with a host name that works', () => {
  expect(() => namedParty('http://127.0.0.1:8080')).toThrow('use http://localhost:8080.');
});
