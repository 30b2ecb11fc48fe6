/** Refresh tokens: `jrt_`, a login, a sequence number, and a MAC that proves that this service issued it. */

import { isSameMac, type KeyedMac } from '#http/credentials/keyed-mac.js';

export interface RefreshToken {
  /** 16 random hex digits, shared by all tokens of a login. */
  readonly family: string;
  /** 1 for the first token of a login; each rotation adds 1. */
  readonly sequence: number;
}

const pattern = /^jrt_([0-9a-f]{16})([0-9a-f]{8})([0-9a-f]{16})$/;

export function formatRefreshToken(mac: KeyedMac, { family, sequence }: RefreshToken): string {
  const counted = sequence.toString(16).padStart(8, '0');
  return `jrt_${family}${counted}${mark(mac, family, counted).toString('hex')}`;
}

/** Returns `undefined` for tokens that this service did not issue. Does not check whether the token is unused. */
export function parseRefreshToken(mac: KeyedMac, text: string): RefreshToken | undefined {
  const [, family, counted, given] = pattern.exec(text) ?? [];
  if (family === undefined || counted === undefined || given === undefined) return undefined;
  if (!isSameMac(Buffer.from(given, 'hex'), mark(mac, family, counted))) return undefined;
  return { family, sequence: Number.parseInt(counted, 16) };
}

function mark(mac: KeyedMac, family: string, counted: string): Buffer {
  return mac('refresh-token', family, counted).subarray(0, 8);
}
