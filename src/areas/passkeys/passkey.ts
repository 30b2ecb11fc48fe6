/** What is kept of passkeys, and of the ceremonies under way. */

import { hash } from 'node:crypto';
import type { Space } from '../../state/state.js';

export interface Passkey {
  readonly id: string;
  readonly username: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  /** How often it has signed, where its authenticator counts; else 0. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAtMs: number;
}

/** By the hash of their id. One more drops the oldest. */
export const passkeys: Space<Passkey> = { name: 'passkeys', maxKeys: 100 };

export interface Ceremony {
  readonly kind: 'register' | 'login';
  /** Whose passkey it is about, where that was said. */
  readonly username?: string;
}

/** By the hash of their challenge. */
export const ceremonies: Space<Ceremony> = { name: 'passkey-challenges', maxKeys: 1000 };

/** By the sandbox's clock. */
export const ceremonyMs = 5 * 60 * 1000;

/** The same for a user each time, so that an authenticator has one passkey of a user. */
export function userHandle(sandbox: string, username: string): string {
  return hash('sha256', JSON.stringify(['passkey-user', sandbox, username]), 'base64url');
}

/**
 * Whether a counter may follow another (WebAuthn section 6.1.1): it grows, or stays 0. Where it does not, a copy
 * of the key is about.
 */
export function mayFollow(counter: number, before: number): boolean {
  return counter > before || (counter === 0 && before === 0);
}
