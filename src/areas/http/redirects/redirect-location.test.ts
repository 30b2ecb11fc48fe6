import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redirectLocation, relativeReference } from './redirect-location.js';

test.each([
  ['path', '/api/b?c=d'],
  ['absolute', 'http://localhost:3000/api/b?c=d'],
  ['relative', '../b?c=d'],
] as const)('as %s', (form, expected) => {
  const redirect = { origin: 'http://localhost:3000', from: '/api/a/1', to: '/api/b?c=d' };
  expect(redirectLocation(form, redirect)).toBe(expected);
});

test.each([
  ['to a sibling', '/api/redirect/3', '/api/redirect/2', '2'],
  ['to itself', '/api/redirect/loop', '/api/redirect/loop', 'loop'],
  ['up', '/api/redirect/1', '/api', '../../api'],
  ['up to the root', '/api/redirect/1', '/', '../../'],
  ['below', '/api', '/api/redirect/1', 'api/redirect/1'],
  ['with a query', '/api/1', '/api/2?a=b/c', '2?a=b/c'],
  ['from a path with a slash at the end', '/api/redirect/3/', '/api/redirect/2', '../2'],
  ['to a directory', '/api/x/1', '/api/x/', './'],
  ['to a segment that looks like a scheme', '/api/1', '/api/a:b', './a:b'],
  ['to an empty segment', '/api/1', '/api//x', './/x'],
])('%s', (_name, from, to, expected) => {
  expect(relativeReference(from, to)).toBe(expected);
});

test('a relative reference leads to the target from any path', () => {
  const segment = fc.constantFrom('a', 'b', 'c:d', '', '2', '%2F', '~');
  const path = fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`);
  // In a reference, a path that begins with two slashes would be a host.
  const safe = path.filter((each) => !each.startsWith('//'));
  fc.assert(
    fc.property(safe, safe, fc.constantFrom('', '?q=/../x'), (from, to, query) => {
      const base = `http://host.test${from}`;
      const { href } = new URL(relativeReference(from, to + query), base);
      expect(href).toBe(`http://host.test${to}${query}`);
    }),
  );
});
