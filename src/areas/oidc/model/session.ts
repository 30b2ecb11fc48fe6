/** Sessions at the issuer: who is logged in with the cookie of a browser. */

import type { Space, Transaction } from '#state/state.js';

export const acrValues: readonly string[] = ['pwd', 'mfa'];

export interface Session {
  readonly username: string;
  readonly authTimeMs: number;
  /** The methods of RFC 8176: `pwd`, and `otp` if a code was required. */
  readonly amr: readonly string[];
  /** The same for clients: one of {@link acrValues}. */
  readonly acr: string;
  /** The public id of the session, for clients. */
  readonly sid: string;
}

/** Keyed by the hash of the cookie's value. */
export const sessions: Space<Session> = { name: 'oidc-sessions', maxKeys: 1000 };

/** Keyed by `sid`: the clients that got codes in a session, and are notified of its end. */
export const sessionClients: Space<readonly string[]> = {
  name: 'oidc-session-clients',
  maxKeys: 1000,
};

/** The scopes that a user has granted to a client. */
export const consents: Space<readonly string[]> = { name: 'oidc-consents', maxKeys: 1000 };

export function consentKey(username: string, clientId: string): string {
  return JSON.stringify([username, clientId]);
}

export function addConsent(
  view: Transaction,
  username: string,
  clientId: string,
  scopes: readonly string[],
): void {
  const key = consentKey(username, clientId);
  view.write(consents, key, [...new Set([...(view.read(consents, key) ?? []), ...scopes])]);
}
