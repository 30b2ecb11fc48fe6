import { expect, test } from 'vitest';
import { nearestText } from './nearest-text.js';

const clients = ['demo-web', 'demo-spa', 'demo-native', 'demo-service', 'demo-device'];

test.each([
  ['demo-sap', 'demo-spa'],
  ['demo_spa', 'demo-spa'],
  ['DemoWeb', 'demo-web'],
  ['demo-servce', 'demo-service'],
  ['nobody', undefined],
  ['', undefined],
  ['-', undefined],
  ['x'.repeat(100_000), undefined],
])('%.20s probably means %s', (text, expected) => {
  expect(nearestText(text, clients)).toBe(expected);
});

test('the first of two equally similar texts is suggested', () => {
  expect(nearestText('aab', ['aaa', 'abb'])).toBe('aaa');
});

test('without known texts, nothing is suggested', () => {
  expect(nearestText('demo', [])).toBeUndefined();
});
