import { expect, test } from 'vitest';
import { keyedMac } from './keyed-mac.js';
import { issuedAt, issueTimedToken } from './timed-token.js';

const mac = keyedMac('a key');
const scope = { purpose: 'test', sandbox: 'one' };
const nowMs = 1_700_000_000_123;

test('a token contains its time of issue', () => {
  const token = issueTimedToken(mac, scope, nowMs);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(issuedAt(mac, scope, token)).toBe(nowMs);
});

test('two tokens of the same moment differ', () => {
  expect(issueTimedToken(mac, scope, nowMs)).not.toBe(issueTimedToken(mac, scope, nowMs));
});

test.each([
  ['another key', keyedMac('another'), scope],
  ['another purpose', mac, { ...scope, purpose: 'other' }],
  ['another sandbox', mac, { ...scope, sandbox: 'two' }],
])('a token is invalid under %s', (_name, otherMac, otherScope) => {
  expect(issuedAt(otherMac, otherScope, issueTimedToken(mac, scope, nowMs))).toBeUndefined();
});

test('a token with any one character changed is invalid', () => {
  const token = issueTimedToken(mac, scope, nowMs);
  for (let index = 0; index < token.length; index++) {
    const other = token[index] === 'A' ? 'B' : 'A';
    const changed = token.slice(0, index) + other + token.slice(index + 1);
    expect(issuedAt(mac, scope, changed), `at ${index}`).toBeUndefined();
  }
});

test.each(['', 'x', 'A'.repeat(43), '='.repeat(43), '\0'])('%j is invalid', (text) => {
  expect(issuedAt(mac, scope, text)).toBeUndefined();
  expect(
    issuedAt(mac, scope, `${issueTimedToken(mac, scope, nowMs)}${text || ' '}`),
  ).toBeUndefined();
});

test.each([
  [-1, 0],
  [0.9, 0],
  [Number.MAX_SAFE_INTEGER, 2 ** 48 - 1],
])('a clock at %d does no harm', (time, expected) => {
  expect(issuedAt(mac, scope, issueTimedToken(mac, scope, time))).toBe(expected);
});
