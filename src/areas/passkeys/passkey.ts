/** The passkeys of a sandbox. */

import { hash } from 'node:crypto';
import type { Space } from '#state/state.js';

export interface Passkey {
  readonly id: string;
  readonly username: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  /** Number of signatures, or 0 if the authenticator does not count them. */
  readonly counter: number;
  /** The flag BE at registration, which never changes. */
  readonly isBackupEligible: boolean;
  readonly transports: readonly string[];
  readonly createdAtMs: number;
}

/** Keyed by the hash of their id. Beyond the limit, the oldest is dropped. */
export const passkeys: Space<Passkey> = { name: 'passkeys', maxKeys: 100 };

/** Returns the same handle for the same user, so that an authenticator keeps one passkey for each user. */
export function userHandle(sandbox: string, username: string): string {
  return hash('sha256', JSON.stringify(['passkey-user', sandbox, username]), 'base64url');
}

/** Whether a counter is valid after another (WebAuthn section 6.1.1). If not, the key was copied. */
export function mayFollow(counter: number, before: number): boolean {
  return counter > before || (counter === 0 && before === 0);
}
