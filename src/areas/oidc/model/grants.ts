/** Grants of users, and of clients without a user. All tokens of a grant end with it. */

import type { Space, Transaction } from '#state/state.js';
import type { Issuer } from '../messages/issuer.js';
import type { Session } from './session.js';

/** A misbehaviour of the issuer towards a client. */
export interface Misbehaviour {
  readonly name: string;
  /** The run that observes the client. */
  readonly run?: string;
}

export interface Grant {
  readonly clientId: string;
  /** A user, or the client itself. */
  readonly sub: string;
  readonly isOfUser: boolean;
  readonly scopes: readonly string[];
  /** Resources that accept its tokens; default: all (RFC 8707). */
  readonly targets?: readonly string[] | undefined;
  readonly nonce?: string | undefined;
  readonly authTimeMs?: number;
  readonly acr?: string;
  readonly amr?: readonly string[];
  readonly sid?: string;
  readonly idTokenClaims?: readonly string[];
  readonly userinfoClaims?: readonly string[];
  readonly misbehaviour?: Misbehaviour | undefined;
}

/** The bearer of the token must prove possession of the key (RFC 7800 section 3). */
export interface Confirmation {
  /** The thumbprint of the key for DPoP proofs (RFC 9449 section 6). */
  readonly jkt?: string;
  /** The thumbprint of a certificate of the client (RFC 8705 section 3.1). */
  readonly 'x5t#S256'?: string;
}

/** The current actor for the subject of the token, and previous actors. */
export interface Actor {
  readonly sub: string;
  readonly act?: Actor | undefined;
}

export interface CodeRecord {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string | undefined;
  /** The key to bind the tokens to (RFC 9449 section 10). */
  readonly jkt: string | undefined;
  readonly grant: Grant;
  readonly expiresAtMs: number;
  /** The grant that it created, once it has been used. */
  readonly grantId?: string;
}

export interface RefreshRecord {
  readonly grantId: string;
  readonly clientId: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  /** Only for public clients (RFC 9449 section 5). */
  readonly cnf: Confirmation | undefined;
  readonly isUsed?: true;
}

export interface AccessRecord {
  readonly grantId: string;
  readonly clientId: string;
  readonly sub: string;
  readonly scope: string;
  readonly targets: readonly string[] | undefined;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  readonly cnf: Confirmation | undefined;
  readonly act: Actor | undefined;
  /** Whether the token request named a resource (RFC 8707); absent after the first tokens of a grant. */
  readonly namesResource?: boolean;
}

export const codes: Space<CodeRecord> = { name: 'oidc-codes', maxKeys: 1000 };
/** Keyed by random ids of the server. A missing grant was revoked. */
export const grants: Space<Grant> = { name: 'oidc-grants', maxKeys: 2000 };
export const refreshTokens: Space<RefreshRecord> = { name: 'oidc-refresh-tokens', maxKeys: 5000 };
/** Keyed by the hash of the token, or of the `jti` of a JWT. */
export const accessTokens: Space<AccessRecord> = { name: 'oidc-access-tokens', maxKeys: 10_000 };

export function userGrant(
  { clientId, scopes, targets }: Pick<Grant, 'clientId' | 'scopes' | 'targets'>,
  { username, authTimeMs, acr, amr, sid }: Session,
): Grant {
  return { clientId, sub: username, isOfUser: true, scopes, targets, authTimeMs, acr, amr, sid };
}

/** Returns the `aud` of an access token: a list if it is for several resources. */
export function audienceOf({ targets = [] }: Pick<AccessRecord, 'targets'>, issuer: Issuer) {
  return targets.length > 1 ? [...targets] : (targets[0] ?? issuer.resource);
}

export function endGrant(view: Transaction, grantId: string): void {
  view.write(grants, grantId, undefined);
}

export function isProved(bound: Confirmation = {}, proved: Confirmation = {}): boolean {
  const names = ['jkt', 'x5t#S256'] as const;
  return names.every((name) => bound[name] === undefined || bound[name] === proved[name]);
}

export function tokenTypeOf({ cnf }: { readonly cnf: Confirmation | undefined }): string {
  return cnf?.jkt === undefined ? 'Bearer' : 'DPoP';
}
