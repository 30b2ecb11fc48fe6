/** Caches the claims of verified tokens: after that, only time can invalidate them. */

import type { JWTPayload } from 'jose';
import { createBoundedCache } from '#base/bounded-cache.js';
import { type Fault, isFault } from '#http/credentials/fault.js';

/** Returns the claims of a token for a base URL at a time, with one key. */
type Verify = (token: string, baseUrl: string, nowMs: number) => Promise<JWTPayload | Fault>;

/** Beyond this number, the least recently used token is dropped. */
export const maxTokens = 1000;

/** In characters. Longer tokens, such as those with custom claims, are not cached. */
export const maxTokenLength = 2048;

/** Returns the same as `verify`, but does not call it again while a cached token is valid. */
export function rememberVerified(verify: Verify): Verify {
  const kept = createBoundedCache<{ readonly baseUrl: string; readonly claims: JWTPayload }>({
    maxEntries: maxTokens,
  });
  return async (token, baseUrl, nowMs) => {
    const known = kept.find(token);
    if (known?.baseUrl === baseUrl && isTime(known.claims, nowMs)) return known.claims;
    const claims = await verify(token, baseUrl, nowMs);
    if (!isFault(claims) && token.length <= maxTokenLength) {
      kept.keep(token, { baseUrl, claims: Object.freeze(claims) });
    }
    return claims;
  };
}

function isTime({ nbf = 0, exp = 0 }: JWTPayload, nowMs: number): boolean {
  return nbf * 1000 <= nowMs && nowMs < exp * 1000;
}
