import { expect, test } from 'vitest';
import { cookiePlace } from './visitor.js';

test.each([
  ['without TLS', 'http://localhost:3000', '', '/api/auth/session'],
  ['in the URL of a sandbox', 'http://localhost/s/a', '', '/s/a/api/auth/session'],
  ['with TLS', 'https://api.example', '__Host-', '/'],
  ['with TLS in a sandbox', 'https://api.example/s/a', '__Secure-', '/s/a/api/auth/session'],
  ['below the path of a proxy', 'https://x.example/p', '__Secure-', '/p/api/auth/session'],
])('the cookie %s', (_name, baseUrl, prefix, path) => {
  const secure = baseUrl.startsWith('https:');
  expect(cookiePlace(baseUrl)).toEqual({ prefix, path, secure });
});
