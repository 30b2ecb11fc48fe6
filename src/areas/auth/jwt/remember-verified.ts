/** Keeps the claims of verified tokens: only the time can make a token wrong that was right once. */

import type { JWTPayload } from 'jose';
import { createBoundedCache } from '../../../base/bounded-cache.js';
import { type Fault, isFault } from '../../../http/credentials/fault.js';

/** Returns what a token says for a base URL at a time, under one key. */
type Verify = (token: string, baseUrl: string, nowMs: number) => Promise<JWTPayload | Fault>;

/** At most this many tokens are kept; one more drops the one used longest ago. */
export const maxTokens = 1000;

/** Longer tokens, such as those with hand-made claims, are not kept, in characters. */
export const maxTokenLength = 2048;

/** Returns the same as `verify`, which is not asked again about a kept token while that is valid. */
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
