import { expect, test } from 'vitest';
import { didYouMean, misspelledNameIn, nearestName } from './did-you-mean.js';

const known = ['limit', 'page', 'per_page', 'offset', 'sort', 'order', 'q', 'X-Sandbox', 'id'];

test.each([
  ['limt', 'limit'],
  ['LIMIT', 'limit'],
  ['perpage', 'per_page'],
  ['perPage', 'per_page'],
  ['x_sandbox', 'X-Sandbox'],
  ['ofset', 'offset'],
  ['ids', 'id'],
])('%s may mean %s', (name, meant) => {
  expect(didYouMean(name, known)).toBe(` Did you mean ${meant}?`);
});

test.each(['zebra', 'x', '', 'maximum', 'limit'.repeat(20)])('%j means none', (name) => {
  expect(didYouMean(name, known)).toBe('');
});

test('nothing is suggested from very many names', () => {
  expect(
    didYouMean(
      'limt',
      Array.from({ length: 301 }, () => 'limit'),
    ),
  ).toBe('');
});

test('of equally similar names, the first is the nearest', () => {
  expect(nearestName('aab', ['aaa', 'abb'])).toBe('aaa');
  expect(nearestName('demo-sap', ['demo-web', 'demo-spa'])).toBe('demo-spa');
  expect(nearestName('unknown', ['demo-web', 'demo-spa'])).toBeUndefined();
});

const parameters = [
  'maxAge',
  'sMaxage',
  'age',
  'vary',
  'delay',
  'key',
  'as',
  'staleWhileRevalidate',
];

test.each([
  ['max-age', 'maxAge'],
  ['maxage', 'maxAge'],
  ['MAX_AGE', 'maxAge'],
  ['maxAgee', 'maxAge'],
  ['s-maxage', 'sMaxage'],
  ['very', 'vary'],
  ['dealy', 'delay'],
  ['stale-while-revalidat', 'staleWhileRevalidate'],
  ['AS', 'as'],
])('%s is a misspelled %s', (name, meant) => {
  expect(misspelledNameIn(parameters)(name)).toBe(meant);
});

test.each(['page', 'keys', 'v', '_', '', 'a', 'user', 'cache', 'maximumAge', 'x'.repeat(3000)])(
  '%s resembles no parameter',
  (name) => {
    expect(misspelledNameIn(parameters)(name)).toBeUndefined();
  },
);
