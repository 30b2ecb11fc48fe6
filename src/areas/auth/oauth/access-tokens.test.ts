import { expect, test } from 'vitest';
import { rememberToken, revokeToken, tokenFault } from './access-tokens.js';

const token = { clientId: 'c', scope: 'read', issuedAtMs: 0 };

test.each([
  ['a millisecond before expiry', token, 3_599_999, undefined],
  ['at expiry', token, 3_600_000, "The token expired at '1970-01-01T01:00:00.000Z'"],
  [
    'revoked',
    { ...token, revokedAtMs: 1 },
    2,
    "The token was revoked at '1970-01-01T00:00:00.001Z'",
  ],
  ['in the second of issue', { ...token, issuedAtMs: 60_999 }, 60_000, undefined],
  [
    'before it was issued, after the clock was set back',
    { ...token, issuedAtMs: 60_999 },
    59_999,
    "The token is not valid before '1970-01-01T00:01:00.000Z'",
  ],
  ['unknown', undefined, 0, 'The token was not issued recently by this service in this sandbox'],
])('a token %s', (_name, known, nowMs, fault) => {
  expect(tokenFault(known, nowMs)).toBe(fault);
});

test('a token is remembered for an hour after its expiry', () => {
  expect(rememberToken(token).expiresAtMs).toBe(7_200_000);
});

test('the first revocation is kept', () => {
  const revoked = revokeToken(token, 5).value;
  expect(revoked).toEqual({ ...token, revokedAtMs: 5 });
  expect(revokeToken(revoked, 9).value).toEqual(revoked);
  expect(revokeToken(undefined, 9).value).toBeUndefined();
});
