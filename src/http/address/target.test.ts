import { expect, test } from 'vitest';
import { isBelow, originForm, queryFault } from './target.js';

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

test.each(['/a', '/a?', '/a?b=c', '/a?b=%41%c5%be', '/%zz?b=c', '/a?b=%25zz', '/a?%C5%BE=+&&='])(
  'the query of %s can be decoded',
  (target) => {
    expect(queryFault(target)).toBeUndefined();
  },
);

test.each([
  ['/a?%', 'character 1, which begins "%"'],
  ['/a?b=%zz&c', 'character 3, which begins "%zz&c"'],
  ['/a?b=1&c=%4', 'character 7, which begins "%4"'],
  ['/a?b=%ff', 'character 3, which begins "%ff"'],
  ['/a?b=%41%c3%28', 'character 3, which begins "%41%c3%28"'],
  ['/a?b=%c5ž%be', 'character 3'],
  ['/a?b=%u0041', 'character 3'],
  ['/a?x?y=%', 'character 5'],
])('the query of %s is malformed at %s', (target, index) => {
  expect(queryFault(target)).toContain(index);
});
