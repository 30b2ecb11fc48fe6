/** Access tokens of the client credentials grant: random text, of which the state stores only the hash. */

import { unixSeconds, wholeSeconds } from '#base/whole-seconds.js';
import type { Change, Space } from '#state/state.js';

export interface IssuedToken {
  readonly clientId: string;
  readonly scope: string;
  readonly issuedAtMs: number;
  readonly revokedAtMs?: number;
}

export const oauthTokenSeconds = 3600;

/** An expired token is remembered for this long, so that the rejection can say when it expired. */
const rememberedMs = 3600 * 1000;

export const issuedTokens: Space<IssuedToken> = { name: 'auth:oauth-tokens', maxKeys: 10_000 };

export function expiresAt({ issuedAtMs }: IssuedToken): number {
  return issuedAtMs + oauthTokenSeconds * 1000;
}

/** Describes a valid token as introspection does (RFC 7662 section 2.2). */
export function describeToken(token: IssuedToken, issuer: string) {
  const issuedAt = unixSeconds(token.issuedAtMs);
  return {
    active: true,
    scope: token.scope,
    client_id: token.clientId,
    token_type: 'Bearer',
    exp: unixSeconds(expiresAt(token)),
    iat: issuedAt,
    nbf: issuedAt,
    sub: token.clientId,
    aud: issuer,
    iss: issuer,
  };
}

export function rememberToken(token: IssuedToken): Change<IssuedToken, undefined> {
  return { value: token, expiresAtMs: expiresAt(token) + rememberedMs, result: undefined };
}

/** Returns why a token is invalid, as a sentence without a full stop; `undefined` for a valid token. */
export function tokenFault(token: IssuedToken | undefined, nowMs: number): string | undefined {
  if (token === undefined)
    return 'The token was not issued recently by this service in this sandbox';
  if (token.revokedAtMs !== undefined) {
    return `The token was revoked at '${new Date(token.revokedAtMs).toISOString()}'`;
  }
  const notBeforeMs = wholeSeconds(token.issuedAtMs);
  if (nowMs < notBeforeMs) {
    return `The token is not valid before '${new Date(notBeforeMs).toISOString()}'`;
  }
  if (nowMs < expiresAt(token)) return undefined;
  return `The token expired at '${new Date(expiresAt(token)).toISOString()}'`;
}

/** Does not change unknown or revoked tokens. */
export function revokeToken(
  token: IssuedToken | undefined,
  nowMs: number,
): Change<IssuedToken, undefined> {
  if (token === undefined) return { value: undefined, result: undefined };
  return rememberToken({ ...token, revokedAtMs: token.revokedAtMs ?? nowMs });
}
