/** Authenticates what this service issues, without storing it (RFC 2104). */

import { createHmac, timingSafeEqual } from 'node:crypto';

/** Parts are kept separate and in order; the first is the purpose of the MAC. */
export type KeyedMac = (purpose: string, ...parts: readonly string[]) => Buffer;

export function keyedMac(key: string | Uint8Array): KeyedMac {
  return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}

/** Compares in constant time; the caller may cut both MACs to the same length. */
export function isSameMac(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
