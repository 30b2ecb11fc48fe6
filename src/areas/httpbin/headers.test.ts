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
  ['a repeated header with commas', ['A', '1', 'a', '2', 'A', '3'], { A: '1,2,3' }],
  ['none from proxies', ['Via', '1.1 a', 'X-Forwarded-For', 'b', 'DNT', '1'], { Dnt: '1' }],
])('shows %s', (_name, rawHeaders, expected) => {
  expect({ ...showHeaders(rawHeaders) }).toEqual(expected);
});

test('shows headers from proxies on request', () => {
  expect({ ...showHeaders(['via', '1.1 a'], { proxies: true }) }).toEqual({ Via: '1.1 a' });
});

test('shows repeated headers as lists on request', () => {
  const rawHeaders = ['A', '1', 'a', '2', 'B', '3'];
  expect({ ...showHeaders(rawHeaders, { lists: true }) }).toEqual({ A: ['1', '2'], B: '3' });
});

test('a header named __proto__ is an ordinary header', () => {
  expect(Object.keys(showHeaders(['__proto__', 'x']))).toEqual(['__Proto__']);
});
