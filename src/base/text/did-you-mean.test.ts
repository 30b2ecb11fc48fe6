import { expect, test } from 'vitest';
import { didYouMean, nearestName } from './did-you-mean.js';

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
