import { expect, test } from 'vitest';
import { isSameTarget } from './is-same-target.js';

test.each([
  ['the same path', '/a', '/a', true],
  ['the same path and query', '/a?b=c', '/a?b=c', true],
  ['no query', '/a', '/a?b=c', false],
  ['another query', '/a?b=d', '/a?b=c', false],
  ['another path', '/b', '/a', false],
  ['another case', '/A', '/a', false],
  ['other escapes', '/%61', '/a', false],
  ['an absolute uri', 'http://host:1/a?b', '/a?b', true],
  ['an absolute uri in capitals', 'HTTP://HOST:1/a', '/a', true],
  ['an absolute target', '/a', 'http://host:1/a', true],
  ['both absolute', 'http://host:1/a', 'http://host:1/a', true],
  ['an absolute uri without a path', 'http://host:1', '/', true],
  ['an absolute uri with a query alone', 'http://host:1?b', '/?b', true],
  ['an absolute uri of another host', 'http://other/a', '/a', false],
  ['an absolute uri of another host than the target', 'http://host:1/a', 'http://other/a', false],
  ['another scheme', 'ftp://host:1/a', '/a', false],
  ['nothing', '', '/', false],
  ['a query that holds an address', '/a?to=http://host:1/b', '/b', false],
])('%s', (_name, uri, target, expected) => {
  expect(isSameTarget(uri, target, 'http://Host:1')).toBe(expected);
});

test.each([
  ['with the path of the base URL', '/api/a?b', '/a?b', true],
  ['without it', '/a?b', '/a?b', true],
  ['with it twice', '/api/api/a', '/a', false],
  ['absolute', 'https://host/api/a', '/a', true],
  ['absolute without it', 'https://host/a', '/a', true],
])('behind a proxy that cuts off a path: %s', (_name, uri, target, expected) => {
  expect(isSameTarget(uri, target, 'https://host/api')).toBe(expected);
});
