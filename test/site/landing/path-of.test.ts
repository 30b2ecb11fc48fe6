import { expect, test } from 'vitest';
import { pathOf } from '../../../pages/landing/path-of.js';

const root = 'http://localhost:3000/';

test.each([
  ['a path', '/api/books?page=2', root, '/api/books?page=2'],
  ['a path without its slash', 'api/books', root, '/api/books'],
  ['spaces around it', '  /api/books ', root, '/api/books'],
  ['a URL inside a query', '/api/x?to=http://a.test/', root, '/api/x?to=http://a.test/'],
  ['nothing', '', root, '/'],
  ['a full URL', 'http://localhost:3000/api/books?page=2', root, '/api/books?page=2'],
  ['capitals in the host', 'HTTP://LocalHost:3000/api/Books', root, '/api/Books'],
  ['a fragment, which is never sent', 'http://localhost:3000/docs#tag/auth', root, '/docs'],
  ['only the root', 'http://localhost:3000', root, '/'],
  [
    'a service below a path',
    'https://a.test/api/x/api/books',
    'https://a.test/api/x/',
    '/api/books',
  ],
  ['a path as responses show it', '/s/a/api/books?x', 'http://localhost:3000/s/a/', '/api/books?x'],
  ['a path with the same beginning', '/s/ab/api', 'http://localhost:3000/s/a/', '/s/ab/api'],
  ['its root without a slash', 'https://a.test/api/x', 'https://a.test/api/x/', '/'],
  ['beside a service below a path', 'https://a.test/books', 'https://a.test/api/x/', undefined],
  ['no scheme', 'localhost:3000/api/books?page=2', root, '/api/books?page=2'],
  ['only a host', 'localhost:3000', root, '/'],
  ['only a port', ':3000/api/books', root, '/api/books'],
  ['an IPv4 address', 'http://127.0.0.1:3000/api/books', root, '/api/books'],
  ['an IPv4 address without a scheme', '127.0.0.1:3000/api/books', root, '/api/books'],
  ['an IPv6 address', 'http://[::1]:3000/api/books', root, '/api/books'],
  ['an IPv6 address without a scheme', '[::1]:3000/api/books', root, '/api/books'],
  ['the URL of the guides', 'localhost:3000/api/books', 'https://a.test/', '/api/books'],
  ['it below a path', 'http://127.0.0.1:3000/api/books', 'https://a.test/x/', '/api/books'],
  ['another name of this computer', 'localhost:4000/a', 'http://127.0.0.1:4000/', '/a'],
  ['its own host without a scheme', 'a.test/api/books', 'https://a.test/', '/api/books'],
  ['its own host and port', 'a.test:81/api/books', 'http://a.test:81/', '/api/books'],
  ['another port without a scheme', 'localhost:3001/api/books', root, undefined],
  ['TLS without a scheme', 'localhost:8443/api/books', root, undefined],
  ['a path that begins like a host', 'localhosts/api', root, '/localhosts/api'],
  ['another host', 'https://example.com/api/books', root, undefined],
  ['another port', 'http://localhost:3001/api/books', root, undefined],
  ['another scheme', 'https://localhost:3000/api/books', root, undefined],
  ['a host with the same beginning', 'http://localhost:30001/api', root, undefined],
  ['no URL', 'http://', root, undefined],
])('accepts %s', (_name, typed, serviceRoot, expected) => {
  expect(pathOf(typed, serviceRoot)).toBe(expected);
});
