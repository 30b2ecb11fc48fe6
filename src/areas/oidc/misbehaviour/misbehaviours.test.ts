import { expect, test } from 'vitest';
import { changed, type MisbehaviourName } from './misbehaviours.js';
import { nearMiss } from './response-cases.js';

const claims = { iss: 'i', sub: 's', aud: 'c', iat: 10_000, exp: 13_600, nonce: 'n', at_hash: 'h' };

test.each<[MisbehaviourName, object]>([
  ['wrong-iss', { iss: expect.stringContaining('other-issuer') }],
  ['wrong-aud', { aud: 'another-client' }],
  ['extra-aud', { aud: ['c', 'another-client'], azp: 'another-client' }],
  ['wrong-nonce', { nonce: expect.stringMatching(/^other_/) }],
  ['missing-nonce', { nonce: undefined }],
  ['wrong-at-hash', { at_hash: expect.stringMatching(/^[\w-]{22}$/) }],
  ['expired-id-token', { iat: 2800, exp: 6400 }],
  ['issued-in-future', { iat: 96_400, exp: 100_000 }],
  ['aud-array', { aud: ['c'] }],
  ['own-azp', { azp: 'c' }],
  ['aud-array-own-azp', { aud: ['c'], azp: 'c' }],
  ['fraction-times', { iat: 9999.25, exp: 13_599.25 }],
])('%s changes these claims and no others', async (name, different) => {
  expect(await changed({ name }, 'claims', claims)).toEqual({ ...claims, ...different });
});

test('unknown members are added to the others', async () => {
  expect(await changed({ name: 'unknown-members' }, 'claims', claims)).toMatchObject(claims);
});

test('a stored name of another version changes nothing', async () => {
  expect(await changed({ name: 'toString' }, 'claims', claims)).toBe(claims);
});

test.each([
  ['http://localhost:1/callback', 'http://localhost:1/callback/near-miss'],
  ['https://a.example/', 'https://a.example/near-miss'],
  ['https://a.example/cb?x=1', 'https://a.example/cb/near-miss?x=1'],
  ['com.example.app:/cb', 'com.example.app:/cb/near-miss'],
])('the near miss of %s', (address, expected) => {
  expect(nearMiss(address)).toBe(expected);
});
