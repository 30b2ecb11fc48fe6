/** Marks on what this service issues, by which it knows its own without storing it (RFC 2104). */

import { createHmac, timingSafeEqual } from 'node:crypto';

/** Parts are kept apart and in order; the first says what the mark is for. */
export type KeyedMac = (purpose: string, ...parts: readonly string[]) => Buffer;

export function keyedMac(key: string | Uint8Array): KeyedMac {
  return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}

/** In constant time; marks may be cut to the same length by the caller. */
export function isSameMac(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
