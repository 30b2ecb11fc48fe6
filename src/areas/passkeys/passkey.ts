/** The passkeys of a sandbox. */

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

/** Stays the same for a user, so that an authenticator has one passkey of a user. */
export function userHandle(sandbox: string, username: string): string {
  return hash('sha256', JSON.stringify(['passkey-user', sandbox, username]), 'base64url');
}

/** Whether a counter may follow another (WebAuthn section 6.1.1). If not, there is a copy of the key. */
export function mayFollow(counter: number, before: number): boolean {
  return counter > before || (counter === 0 && before === 0);
}
