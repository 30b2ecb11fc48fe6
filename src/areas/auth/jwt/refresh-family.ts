/** The refresh tokens of one login. Each works once; a second use revokes all (RFC 9700 section 4.14.2). */

import type { Change, Space } from '#state/state.js';

export interface RefreshFamily {
  readonly username: string;
  /** The sequence number of the only unused token. */
  readonly unused: number;
  readonly revoked?: Revocation;
}

interface Revocation {
  readonly atMs: number;
  readonly because: 'reuse' | 'logout';
}

/** Restarts with each rotation. */
export const refreshTokenMs = 7 * 24 * 3600 * 1000;

export const refreshFamilies: Space<RefreshFamily> = {
  name: 'auth:refresh-families',
  maxKeys: 10_000,
};

export type Rotation =
  | { readonly kind: 'rotated'; readonly username: string; readonly sequence: number }
  | { readonly kind: 'reused' }
  | ({ readonly kind: 'revoked' } & Revocation)
  | { readonly kind: 'ended' };

export function startFamily(username: string, nowMs: number): Change<RefreshFamily, undefined> {
  return {
    value: { username, unused: 1 },
    expiresAtMs: nowMs + refreshTokenMs,
    result: undefined,
  };
}

/** Uses the token with the number `sequence`. */
export function rotate(
  family: RefreshFamily | undefined,
  sequence: number,
  nowMs: number,
): Change<RefreshFamily, Rotation> {
  if (family === undefined) return { value: undefined, result: { kind: 'ended' } };
  const { username, unused, revoked } = family;
  const keep = (value: RefreshFamily, result: Rotation) => ({
    value,
    expiresAtMs: nowMs + refreshTokenMs,
    result,
  });
  if (revoked !== undefined) return keep(family, { kind: 'revoked', ...revoked });
  if (sequence !== unused) {
    return keep({ ...family, revoked: { atMs: nowMs, because: 'reuse' } }, { kind: 'reused' });
  }
  const next = sequence + 1;
  return keep({ ...family, unused: next }, { kind: 'rotated', username, sequence: next });
}

/** Ends the login. Does nothing if it has already ended. */
export function revoke(
  family: RefreshFamily | undefined,
  nowMs: number,
): Change<RefreshFamily, undefined> {
  if (family === undefined) return { value: undefined, result: undefined };
  const revoked = family.revoked ?? { atMs: nowMs, because: 'logout' };
  return {
    value: { ...family, revoked },
    expiresAtMs: nowMs + refreshTokenMs,
    result: undefined,
  };
}
