import { expect, test } from 'vitest';
import { readOffer } from './read-offer.js';

test.each([
  ['nothing', {}, { algorithms: ['MD5'], qops: ['auth'] }],
  ['any case', { algorithm: ['sha-256-SESS'] }, { algorithms: ['SHA-256-sess'], qops: ['auth'] }],
  [
    'several, the strongest first',
    { algorithm: ['MD5,SHA-256', 'SHA-512-256'] },
    { algorithms: ['SHA-512-256', 'SHA-256', 'MD5'], qops: ['auth'] },
  ],
  [
    'both values of qop',
    { qop: ['auth-int,auth'] },
    { algorithms: ['MD5'], qops: ['auth', 'auth-int'] },
  ],
  ['no qop', { qop: ['none'] }, { algorithms: ['MD5'], qops: [] }],
])('a query with %s is an offer', (_name, query, expected) => {
  expect(readOffer(query)).toEqual(expected);
});

test.each([
  ['an unknown algorithm', { algorithm: ['SHA-1'] }, /algorithm must be/],
  ['an unregistered algorithm', { algorithm: ['SHA-512'] }, /algorithm must be/],
  ['an empty algorithm', { algorithm: [''] }, /algorithm must be/],
  ['an unknown qop', { qop: ['auth-conf'] }, /qop must be/],
  ['none with another qop', { qop: ['none,auth'] }, /none and others/],
  ['a session without a qop', { algorithm: ['MD5-sess'], qop: ['none'] }, /needs a cnonce/],
])('a query with %s is rejected', (_name, query, message) => {
  expect(() => readOffer(query)).toThrow(message);
});
