/** Secrets that the service gives out, and the hashes by which it knows them again: it keeps no secret itself. */

import { hash, randomBytes } from 'node:crypto';

/** Returns 256 random bits, with letters in front that name their kind. */
export function randomText(kind: string): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`;
}

/** Returns the key of a secret in the state, which is short however long the secret is. */
export function keyOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
