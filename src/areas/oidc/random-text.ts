/** Secrets that the issuer gives out, and the keys that it knows them again by: it keeps no secret itself. */

import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, with letters in front that say what it is. */
export function randomText(kind: string): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`;
}

/** Whatever its length. */
export function keyOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
