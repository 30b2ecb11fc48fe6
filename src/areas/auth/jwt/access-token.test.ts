import { createHmac } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import {
  accessTokenSeconds,
  claimNames,
  importKey,
  issueAccessToken,
  type SigningKey,
  verifyAccessToken,
} from './access-token.js';

const secret = Buffer.from('a key of exactly thirty-two bytes');
const baseUrl = 'http://localhost:3000';
const user = { username: 'demo', role: 'user', email: 'demo@example.com' } as const;
const issuedAt = 1_700_000_000;
const expiry = new Date((issuedAt + accessTokenSeconds) * 1000).toISOString();
const now = issuedAt * 1000 + 500;

let key: SigningKey;
let token: string;
beforeAll(async () => {
  key = await importKey(secret);
  token = await issueAccessToken(key, user, baseUrl, issuedAt);
});

/** Signs a token by hand, so that only the changed part is wrong. */
function forge(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = { alg: 'HS256', typ: 'JWT' },
  signingKey: string | Buffer = secret,
): string {
  const payload = { ...decodeJwt(token), ...claims };
  const head = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const digest = header.alg === 'HS512' ? 'sha512' : 'sha256';
  return `${head}.${createHmac(digest, signingKey).update(head).digest('base64url')}`;
}

test('a token has the documented claims and no others', async () => {
  expect(await verifyAccessToken(key, token, baseUrl, now)).toEqual({
    [claimNames.nameIdentifier]: 'demo',
    [claimNames.role]: 'user',
    [claimNames.email]: 'demo@example.com',
    jti: expect.any(String),
    nbf: issuedAt,
    exp: issuedAt + 900,
    iss: baseUrl,
    aud: baseUrl,
  });
});

test('a token signed by hand with the same key is valid, so that forgeries differ in one part', async () => {
  expect(await verifyAccessToken(key, forge({}), baseUrl, now)).toEqual(decodeJwt(token));
});

test.each([
  ['a second before expiry', (issuedAt + 899) * 1000, undefined],
  ['a millisecond before expiry', (issuedAt + 900) * 1000 - 1, undefined],
  ['at expiry', (issuedAt + 900) * 1000, `The token expired at '${expiry}'`],
  ['at the moment of issue', issuedAt * 1000, undefined],
  [
    'a millisecond before it was issued',
    issuedAt * 1000 - 1,
    `The token is not valid before '${new Date(issuedAt * 1000).toISOString()}'`,
  ],
])('%s', async (_name, nowMs, fault) => {
  const result = await verifyAccessToken(key, token, baseUrl, nowMs);
  expect('fault' in result ? result.fault : undefined).toBe(fault);
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each<[string, () => string, RegExp]>([
  [
    'an edited payload',
    () =>
      token.replace(/\.[^.]+\./, `.${part({ ...decodeJwt(token), [claimNames.role]: 'admin' })}.`),
    /signature is invalid/,
  ],
  [
    'a foreign key',
    () => forge({}, undefined, 'another key of thirty-two bytes..'),
    /signature is invalid/,
  ],
  ['a missing signature', () => token.slice(0, token.lastIndexOf('.') + 1), /signature is invalid/],
  ['a shortened signature', () => token.slice(0, -4), /signature is invalid/],
  [
    'an algorithm with a very long name',
    () => forge({}, { alg: 'x'.repeat(900) }),
    /is 'x{40}'; only/,
  ],
  [
    'alg none',
    () => `${part({ alg: 'none' })}.${token.split('.')[1]}.`,
    /algorithm is 'none'; only HS256/,
  ],
  [
    'alg none in capitals',
    () => `${part({ alg: 'NONE' })}.${token.split('.')[1]}.`,
    /algorithm is 'NONE'/,
  ],
  ['another HMAC', () => forge({}, { alg: 'HS512' }), /algorithm is 'HS512'/],
  ['an asymmetric algorithm', () => forge({}, { alg: 'RS256' }), /algorithm is 'RS256'/],
  ['a header without alg', () => forge({}, { typ: 'JWT' }), /not a JWT/],
  [
    'a critical extension',
    () => forge({}, { alg: 'HS256', crit: ['x'], x: 1 }),
    /extension \(crit\)/,
  ],
  [
    'another issuer',
    () => forge({ iss: 'http://other' }),
    /issued by 'http:\/\/other', but this is 'http:\/\/localhost:3000'/,
  ],
  ['another audience', () => forge({ aud: 'http://other' }), /meant for 'http:\/\/other'/],
  ['no issuer', () => forge({ iss: undefined }), /no claim iss/],
  ['no audience', () => forge({ aud: undefined }), /no claim aud/],
  ['no expiry', () => forge({ exp: undefined }), /no claim exp/],
  ['no start of validity', () => forge({ nbf: undefined }), /no claim nbf/],
  ['no id', () => forge({ jti: undefined }), /no claim jti/],
  [
    'an expiry that is not a number',
    () => forge({ exp: 'tomorrow' }),
    /token's claim exp is malformed/,
  ],
  ['a start that is not a number', () => forge({ nbf: 'today' }), /token's claim nbf is malformed/],
  [
    'a start in the future',
    () => forge({ nbf: issuedAt + 60 }),
    /not valid before '2023-11-14T22:14:20.000Z'/,
  ],
  ['a start that no date can represent', () => forge({ nbf: 1e300 }), /not valid before '1e\+300'/],
  ['an expiry that no date can represent', () => forge({ exp: -1e300 }), /expired at '-1e\+300'/],
  ['two parts', () => 'a.b', /not a JWT/],
  ['five parts', () => 'a.b.c.d.e', /not a JWT/],
  ['a word', () => 'x', /not a JWT/],
  ['dots', () => '..', /not a JWT/],
  ['a header that is not JSON', () => `${'x'.repeat(10)}.${token.split('.')[1]}.x`, /not a JWT/],
  [
    'a payload that is not an object',
    () => {
      const head = `${part({ alg: 'HS256' })}.${part([1])}`;
      return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
    },
    /not a JWT/,
  ],
])('%s is rejected, with the reason', async (_name, make, fault) => {
  expect(await verifyAccessToken(key, make(), baseUrl, now)).toEqual({
    fault: expect.stringMatching(fault),
  });
});

test('only one spelling of a signature is valid, though others decode to the same bytes', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (const last of alphabet) {
    const spelled = token.slice(0, -1) + last;
    const verified = await verifyAccessToken(key, spelled, baseUrl, now);
    if (spelled === token) expect(verified).not.toHaveProperty('fault');
    else expect(verified, last).toEqual({ fault: expect.stringMatching(/signature is invalid/) });
  }
});
