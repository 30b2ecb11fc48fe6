import { expect, test } from 'vitest';
import { originForm } from './origin-form.js';

test.each([
  ['/', '/'],
  ['/a/b?c=d', '/a/b?c=d'],
  ['//a', '//a'],
  ['/?u=http://x/y', '/?u=http://x/y'],
  ['http://host:80/a?b', '/a?b'],
  ['HTTPS://host/a', '/a'],
  ['http://host', '/'],
  ['http://host?a=/b', '/?a=/b'],
  ['http://[::1]:3000/a', '/a'],
])('%s is %s', (target, expected) => {
  expect(originForm(target)).toBe(expected);
});
