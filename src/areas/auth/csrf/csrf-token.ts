/** CSRF tokens for the signed double-submit cookie pattern. */

import type { Fault } from '../../../http/credentials/fault.js';
import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import {
  issuedAt,
  issueTimedToken,
  type TokenScope,
} from '../../../http/credentials/timed-token.js';

export const csrfTokenSeconds = 3600;

export function issueCsrfToken(mac: KeyedMac, sandbox: string, nowMs: number): string {
  return issueTimedToken(mac, scopeOf(sandbox), nowMs);
}

/** `undefined` when the token is ours and still valid. */
export function csrfTokenFault(
  mac: KeyedMac,
  sandbox: string,
  token: string,
  nowMs: number,
): Fault | undefined {
  const issuedAtMs = issuedAt(mac, scopeOf(sandbox), token);
  if (issuedAtMs === undefined) {
    return {
      fault: 'The CSRF token is not one that this service issued in this sandbox since it started.',
    };
  }
  if (nowMs < issuedAtMs) {
    return {
      fault:
        'The CSRF token was issued at a time that the clock of this sandbox has been set back from.',
    };
  }
  const expiresAtMs = issuedAtMs + csrfTokenSeconds * 1000;
  if (nowMs < expiresAtMs) return undefined;
  return { fault: `The CSRF token expired at '${new Date(expiresAtMs).toISOString()}'.` };
}

function scopeOf(sandbox: string): TokenScope {
  return { purpose: 'csrf-token', sandbox };
}
