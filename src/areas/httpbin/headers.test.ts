import { expect, test } from 'vitest';
import { showHeaders } from './headers.js';

test.each([
  ['nothing', [], {}],
  [
    'words with capitals',
    ['user-agent', 'x', 'X-API-KEY', '1'],
    { 'User-Agent': 'x', 'X-Api-Key': '1' },
  ],
  ['letters after digits and signs', ['x-2fa', 'a', 'x_y', 'b'], { 'X-2Fa': 'a', X_Y: 'b' }],
  ['a repeated header as a list', ['A', '1', 'a', '2', 'A', '3'], { A: ['1', '2', '3'] }],
  ['none from proxies', ['Via', '1.1 a', 'X-Forwarded-For', 'b', 'DNT', '1'], { Dnt: '1' }],
])('shows %s', (_name, rawHeaders, expected) => {
  expect({ ...showHeaders(rawHeaders) }).toEqual(expected);
});

test('shows headers from proxies on request', () => {
  expect({ ...showHeaders(['via', '1.1 a'], true) }).toEqual({ Via: '1.1 a' });
});

test('a header named __proto__ is an ordinary header', () => {
  expect(Object.keys(showHeaders(['__proto__', 'x']))).toEqual(['__Proto__']);
});
