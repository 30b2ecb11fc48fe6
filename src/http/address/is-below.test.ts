import { expect, test } from 'vitest';
import { isBelow } from './is-below.js';

test.each([
  ['/api/auth', true],
  ['/API/Auth/basic', true],
  ['/api/auth?x', true],
  ['/api/auth/%zz', true],
  ['/api/authors', false],
  ['/api', false],
  ['/x/api/auth', false],
])('%s is below /api/auth: %s', (target, expected) => {
  expect(isBelow(target, '/api/auth')).toBe(expected);
});
