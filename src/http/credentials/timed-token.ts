/**
 * A token that proves when this service issued it: a time, random bytes, and a MAC of both. It is
 * valid only for one purpose in one sandbox.
 */

import { randomBytes } from 'node:crypto';
import { isSameMac, type KeyedMac } from './keyed-mac.js';

const timeBytes = 6;
const headBytes = timeBytes + 10;
const markBytes = 16;
const latestMs = 2 ** (8 * timeBytes) - 1;

export interface TokenScope {
  readonly purpose: string;
  readonly sandbox: string;
}

/** Returns 43 URL-safe characters. */
export function issueTimedToken(mac: KeyedMac, scope: TokenScope, nowMs: number): string {
  const head = randomBytes(headBytes);
  head.writeUIntBE(Math.min(Math.max(Math.floor(nowMs), 0), latestMs), 0, timeBytes);
  return Buffer.concat([head, mark(mac, scope, head)]).toString('base64url');
}

/**
 * Returns Unix milliseconds; `undefined` for a token that this service did not issue in this scope.
 */
export function issuedAt(mac: KeyedMac, scope: TokenScope, token: string): number | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Node skips characters outside of base64url, so different texts decode alike; only one of them
  // is valid.
  if (bytes.length !== headBytes + markBytes || bytes.toString('base64url') !== token) {
    return undefined;
  }
  const head = bytes.subarray(0, headBytes);
  if (!isSameMac(bytes.subarray(headBytes), mark(mac, scope, head))) return undefined;
  return head.readUIntBE(0, timeBytes);
}

/** Returns whether this service issued a token in this scope less than `lifeMs` ago. */
export function isRecent(
  mac: KeyedMac,
  scope: TokenScope,
  token: string | undefined,
  { nowMs, lifeMs }: { readonly nowMs: number; readonly lifeMs: number },
): boolean {
  const atMs = token === undefined ? undefined : issuedAt(mac, scope, token);
  return atMs !== undefined && nowMs >= atMs && nowMs < atMs + lifeMs;
}

function mark(mac: KeyedMac, { purpose, sandbox }: TokenScope, head: Buffer): Buffer {
  return mac(purpose, sandbox, head.toString('hex')).subarray(0, markBytes);
}
