/** Access tokens of the client credentials grant: random text, remembered by its hash alone. */

import { hash, randomBytes } from 'node:crypto';
import type { Change, Space } from '../../../state/state.js';

export interface IssuedToken {
  readonly clientId: string;
  readonly scope: string;
  readonly issuedAtMs: number;
  readonly revokedAtMs?: number;
}

export const oauthTokenSeconds = 3600;

/** For this long after its end a token is still known, so that a rejection can say when that was. */
const rememberedMs = 3600 * 1000;

export const issuedTokens: Space<IssuedToken> = { name: 'auth:oauth-tokens', maxKeys: 10_000 };

export function randomToken(): string {
  return `oat_${randomBytes(20).toString('hex')}`;
}

/** The key that a token is remembered under, whatever its length. */
export function tokenKey(token: string): string {
  return hash('sha256', token, 'base64url');
}

export function expiresAt({ issuedAtMs }: IssuedToken): number {
  return issuedAtMs + oauthTokenSeconds * 1000;
}

/** Unix time in whole seconds, as introspection tells it (RFC 7662 section 2.2: `iat` and `nbf`). */
export function notBeforeSeconds({ issuedAtMs }: IssuedToken): number {
  return Math.floor(issuedAtMs / 1000);
}

export function rememberToken(token: IssuedToken): Change<IssuedToken, undefined> {
  return { value: token, expiresAtMs: expiresAt(token) + rememberedMs, result: undefined };
}

/** Why a token does not count; `undefined` when it does. A sentence without the full stop. */
export function tokenFault(token: IssuedToken | undefined, nowMs: number): string | undefined {
  if (token === undefined)
    return 'The token is not one that this service issued lately in this sandbox';
  if (token.revokedAtMs !== undefined) {
    return `The token was revoked at '${new Date(token.revokedAtMs).toISOString()}'`;
  }
  const notBeforeMs = notBeforeSeconds(token) * 1000;
  if (nowMs < notBeforeMs) {
    return `The token is not valid before '${new Date(notBeforeMs).toISOString()}'`;
  }
  if (nowMs < expiresAt(token)) return undefined;
  return `The token expired at '${new Date(expiresAt(token)).toISOString()}'`;
}

/** A token that is unknown or revoked stays as it is. */
export function revokeToken(
  token: IssuedToken | undefined,
  nowMs: number,
): Change<IssuedToken, undefined> {
  if (token === undefined) return { value: undefined, result: undefined };
  return rememberToken({ ...token, revokedAtMs: token.revokedAtMs ?? nowMs });
}
