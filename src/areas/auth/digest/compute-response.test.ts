import { expect, test } from 'vitest';
import { computeResponse } from './compute-response.js';
import { digestHash } from './digest-algorithm.js';

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

const jason = {
  username: 'J\u00e4s\u00f8n Doe',
  realm: 'api@example.org',
  password: 'Secret, or not?',
  nonce: '5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK',
  method: 'GET',
  uri: '/doe.json',
  qop: 'auth',
  nc: '00000001',
  cnonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v',
  algorithm: 'SHA-512-256',
} as const;

test('RFC 7616 section 3.9.1 with MD5', () => {
  expect(computeResponse({ ...mufasa, algorithm: 'MD5' })).toBe('8ca523f5e9506fed4657c9700eebdbec');
});

test('RFC 7616 section 3.9.1 with SHA-256', () => {
  expect(computeResponse({ ...mufasa, algorithm: 'SHA-256' })).toBe(
    '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
  );
});

test('RFC 7616 section 3.9.2 with SHA-512/256 and userhash, as erratum 4897 corrects it', () => {
  expect(computeResponse(jason)).toBe(
    '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5',
  );
  expect(digestHash('SHA-512-256', `${jason.username}:${jason.realm}`)).toBe(
    '793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b',
  );
});

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
  // RFC 2069 section 2.4, as its erratum 749 corrects it.
  expect(response).toBe('1949323746fe6a43ef61f9606e7febea');
});

test('a session algorithm takes the cnonce that the session began with', () => {
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
