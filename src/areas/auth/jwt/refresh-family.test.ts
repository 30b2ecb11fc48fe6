import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type RefreshFamily,
  refreshTokenMs,
  revoke,
  rotate,
  startFamily,
} from './refresh-family.js';

const nowMs = 5000;
const fresh = startFamily('demo', 0).value as RefreshFamily;

test('a login begins with one unused token, for seven days', () => {
  expect(startFamily('demo', nowMs)).toEqual({
    value: { username: 'demo', unused: 1 },
    expiresAtMs: nowMs + 7 * 24 * 3600 * 1000,
    result: undefined,
  });
});

test('the unused token rotates', () => {
  expect(rotate(fresh, 1, nowMs)).toEqual({
    value: { username: 'demo', unused: 2 },
    expiresAtMs: nowMs + refreshTokenMs,
    result: { kind: 'rotated', username: 'demo', sequence: 2 },
  });
});

test('a used token revokes the login, and the newest token says so', () => {
  const rotated = rotate(fresh, 1, 1).value;
  const reused = rotate(rotated, 1, nowMs);
  expect(reused.result).toEqual({ kind: 'reused' });
  expect(rotate(reused.value, 2, nowMs + 1).result).toEqual({
    kind: 'revoked',
    atMs: nowMs,
    because: 'reuse',
  });
});

test('a revoked login is remembered until its tokens would have expired', () => {
  expect(revoke(fresh, nowMs).expiresAtMs).toBe(nowMs + refreshTokenMs);
});

test('logout revokes the login and keeps an earlier reason', () => {
  const out = revoke(fresh, nowMs).value;
  expect(rotate(out, 1, nowMs + 1).result).toEqual({
    kind: 'revoked',
    atMs: nowMs,
    because: 'logout',
  });
  const reused = rotate(rotate(fresh, 1, 1).value, 1, 2).value;
  expect(revoke(reused, nowMs).value?.revoked).toEqual({ atMs: 2, because: 'reuse' });
});

test('a login that is no longer remembered has ended', () => {
  expect(rotate(undefined, 1, nowMs)).toEqual({ value: undefined, result: { kind: 'ended' } });
  expect(revoke(undefined, nowMs)).toStrictEqual({ value: undefined, result: undefined });
});

test('in any order of use, each token works at most once and none after a second use', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 30 }), (presented) => {
      let family: RefreshFamily | undefined = fresh;
      const worked = new Set<number>();
      let isRevoked = false;
      for (const sequence of presented) {
        const { value, result }: ReturnType<typeof rotate> = rotate(family, sequence, nowMs);
        family = value;
        if (result.kind === 'rotated') {
          expect(isRevoked).toBe(false);
          expect(worked.has(sequence)).toBe(false);
          worked.add(sequence);
        } else {
          isRevoked = true;
        }
      }
    }),
  );
});
