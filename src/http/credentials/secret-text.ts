/** Secrets that the service issues, and the hashes that it stores instead of them. */

import { hash, randomBytes } from 'node:crypto';

/** Returns 256 random bits as text, after letters that name their kind. */
export function randomText(kind: string): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`;
}

/** Returns the key of a secret in the state, whose length is constant. */
export function keyOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
