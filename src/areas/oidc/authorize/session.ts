/** Who is logged in at the issuer, in the browser that has the cookie. */

import type { Space } from '../../../state/state.js';

/** By the hash of what the cookie holds. */
export interface Session {
  readonly username: string;
  readonly authTimeMs: number;
  /** How (RFC 8176): `pwd`, and `otp` where a code was needed as well. */
  readonly amr: readonly string[];
  /** The same for clients: `pwd` or `mfa`. */
  readonly acr: string;
  /** Names it to clients, and is no secret. */
  readonly sid: string;
}

export const acrValues = ['pwd', 'mfa'] as const;

export const sessions: Space<Session> = { name: 'oidc-sessions', maxKeys: 1000 };

/** The scopes that a user has granted to a client. */
export const consents: Space<readonly string[]> = { name: 'oidc-consents', maxKeys: 1000 };

export function consentKey(username: string, clientId: string): string {
  return JSON.stringify([username, clientId]);
}

/** By user and code: those that were used. */
export const usedRecoveryCodes: Space<true> = { name: 'oidc-recovery-codes', maxKeys: 1000 };

/** By `sid`: the clients that got codes in a session, and hear of its end. */
export const sessionClients: Space<readonly string[]> = {
  name: 'oidc-session-clients',
  maxKeys: 1000,
};

/** By user: the last step of RFC 6238 whose code was accepted. */
export const usedSteps: Space<number> = { name: 'oidc-totp-steps', maxKeys: 1000 };
