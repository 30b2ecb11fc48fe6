import { expect, test } from 'vitest';
import { identifyClient } from './identify-client.js';

const latin1 = (text: string) => Buffer.from(text).toString('latin1');

test.each([
  ['without a name', undefined, 'ip:203.0.113.7'],
  ['with an empty name', '', 'ip:203.0.113.7'],
  ['with a name', 'my client', 'id:my client'],
  ['with an IP address as its name', 'ip:203.0.113.7', 'id:ip:203.0.113.7'],
  ['with a name in UTF-8', latin1('Zoë 🦊'), 'id:Zoë 🦊'],
  ['with a name in Latin-1', 'Zo\u00eb', 'id:Zoë'],
  ['with a name of 256 characters', 'x'.repeat(256), `id:${'x'.repeat(256)}`],
  ['with a longer name', 'x'.repeat(5000), `id:${'x'.repeat(256)}`],
  [
    'with a long name truncated inside a character',
    latin1(`${'x'.repeat(255)}🦊`),
    `id:${'x'.repeat(255)}`,
  ],
  ['with the name of a prototype member', '__proto__', 'id:__proto__'],
])('a client %s', (_case, name, expected) => {
  expect(identifyClient(name, '203.0.113.7')).toBe(expected);
});

test('a fake IP address from a proxy is truncated, too', () => {
  expect(identifyClient(undefined, 'y'.repeat(5000))).toHaveLength('ip:'.length + 256);
});
