import { expect, test } from 'vitest';
import { computeResponse } from './compute-response.js';

const mufasa = {
  username: 'Mufasa',
  realm: 'http-auth@example.org',
  password: 'Circle of Life',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  method: 'GET',
  uri: '/dir/index.html',
  qop: 'auth',
  nc: '00000001',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
} as const;

test('RFC 2069 without a qop', () => {
  const response = computeResponse({
    algorithm: 'MD5',
    username: 'Mufasa',
    realm: 'testrealm@host.com',
    password: 'CircleOfLife',
    nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
    method: 'GET',
    uri: '/dir/index.html',
  });
  // RFC 2069 section 2.4, as corrected by erratum 749.
  expect(response).toBe('1949323746fe6a43ef61f9606e7febea');
});

test('a session algorithm uses the first cnonce of the session', () => {
  const session = { ...mufasa, algorithm: 'SHA-256-sess' } as const;
  const first = computeResponse({ ...session, cnonce: 'first' });
  expect(computeResponse({ ...session, cnonce: 'first', sessionCnonce: 'first' })).toBe(first);
  const later = computeResponse({ ...session, cnonce: 'second', sessionCnonce: 'first' });
  expect(later).not.toBe(computeResponse({ ...session, cnonce: 'second' }));
});

test('auth-int covers the body, and auth does not', () => {
  const of = (qop: 'auth' | 'auth-int', body: string) =>
    computeResponse({ ...mufasa, algorithm: 'MD5', qop, body: Buffer.from(body) });
  expect(of('auth', 'a')).toBe(of('auth', 'b'));
  expect(of('auth-int', 'a')).not.toBe(of('auth-int', 'b'));
});
