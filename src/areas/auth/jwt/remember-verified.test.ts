import { expect, test } from 'vitest';
import { maxTokenLength, maxTokens, rememberVerified } from './remember-verified.js';

const baseUrl = 'http://localhost:3000';
const [notBefore, expiry] = [1000, 1900];

/** Decides only by time, and records its calls. */
function counted() {
  const asked: string[] = [];
  const verify = rememberVerified(async (token, issuer, nowMs) => {
    asked.push(token);
    const isTime = notBefore * 1000 <= nowMs && nowMs < expiry * 1000;
    return isTime && issuer === baseUrl
      ? { nbf: notBefore, exp: expiry, jti: token }
      : { fault: `rejected at ${nowMs}` };
  });
  return { asked, verify };
}

test('a valid token is not verified again', async () => {
  const { asked, verify } = counted();
  expect(await verify('a', baseUrl, 1_000_000)).toEqual({ nbf: 1000, exp: 1900, jti: 'a' });
  expect(await verify('a', baseUrl, 1_899_999)).toEqual({ nbf: 1000, exp: 1900, jti: 'a' });
  expect(asked).toEqual(['a']);
});

test.each([
  ['from its expiry on', baseUrl, 1_900_000],
  ['before it becomes valid', baseUrl, 999_999],
  ['for another base URL', 'http://other.example', 1_000_000],
])('a cached token is rejected %s', async (_case, issuer, nowMs) => {
  const { asked, verify } = counted();
  await verify('a', baseUrl, 1_000_000);
  expect(await verify('a', issuer, nowMs)).toEqual({ fault: `rejected at ${nowMs}` });
  expect(asked).toEqual(['a', 'a']);
});

test('an invalid token is verified, and rejected, each time', async () => {
  const { asked, verify } = counted();
  for (let round = 0; round < 2; round++) await verify('a', baseUrl, 0);
  expect(asked).toEqual(['a', 'a']);
});

test('the number and the length of cached tokens are limited', async () => {
  const { asked, verify } = counted();
  for (let index = 0; index <= maxTokens; index++) await verify(`t${index}`, baseUrl, 1_000_000);
  const long = 'x'.repeat(maxTokenLength + 1);
  await verify(long, baseUrl, 1_000_000);
  asked.length = 0;
  for (const token of [`t${maxTokens}`, 't1', 't0', long]) await verify(token, baseUrl, 1_000_000);
  expect(asked).toEqual(['t0', long]);
});
