/** Issues tokens within a transaction: all of them or none. */

import { keyOf } from '#http/credentials/secret-text.js';
import type { Form } from '#http/oauth/form.js';
import { OAuthError } from '#http/oauth/oauth-error.js';
import type { Transaction } from '#state/state.js';
import { type Client, isPublic } from '../model/client.js';
import {
  type AccessRecord,
  accessTokens,
  type Confirmation,
  type Grant,
  grants,
  type Misbehaviour,
  refreshTokens,
} from '../model/grants.js';
import type { Signing } from '../model/issuer-keys.js';
import { lifetimesIn } from '../model/issuer-settings.js';
import type { Offers } from '../model/scopes.js';

/** Random texts for new tokens. They are created before the transaction, which may run again. */
export interface FreshTexts {
  readonly grantId: string;
  readonly access: string;
  readonly refresh: string;
  /** The proof of the client that the tokens are bound to. */
  readonly cnf: Confirmation | undefined;
  /** Resources that accept the access token: at most those in the grant. */
  readonly targets: readonly string[] | undefined;
  /** Default targets, if neither the request nor the grant names any. */
  readonly usualTargets: readonly string[] | undefined;
}

export interface Issued {
  readonly grant: Grant;
  /** The access token, and its record in the state. */
  readonly access: string;
  readonly record: AccessRecord;
  readonly refresh?: string;
  /** The nonce of the authorization request; a refresh has none (OpenID Connect Core section 12.2). */
  readonly nonce?: string | undefined;
  /** The type of a token from an exchange (RFC 8693 section 2.2.1). */
  readonly issuedTokenType?: string;
  readonly isJwt?: boolean;
  readonly isRefresh?: true;
  readonly misbehaviour?: Misbehaviour | undefined;
}

/** Issues the first tokens of a grant. Adds a refresh token only for `offline_access`. */
export function issueTokens(
  view: Transaction,
  client: Client,
  grant: Grant,
  fresh: FreshTexts,
): Issued {
  writeGrant(view, fresh.grantId, grant, client);
  const issued = writeAccess(view, fresh, grant, { namesResource: fresh.targets !== undefined });
  if (!isLasting(client, grant)) return issued;
  return { ...issued, refresh: writeRefresh(view, fresh, fresh.grantId, client) };
}

function isLasting({ grantTypes }: Client, { scopes }: Grant): boolean {
  return scopes.includes('offline_access') && grantTypes.includes('refresh_token');
}

/** Returns the lifetime of a grant in milliseconds. */
export function lifeOf(view: Transaction, client: Client, grant: Grant): number {
  const { refresh, access } = lifetimesIn(view);
  return 1000 * (isLasting(client, grant) ? Math.max(refresh, access) : access);
}

export function writeGrant(view: Transaction, id: string, grant: Grant, client: Client): void {
  view.write(grants, id, grant, { expiresAtMs: view.nowMs + lifeOf(view, client, grant) });
}

/** `own` has the differences to the grant, and an earlier expiry. */
export function writeAccess(
  view: Transaction,
  fresh: FreshTexts,
  grant: Grant,
  { expiresAtMs: untilMs = Infinity, ...own }: Partial<AccessRecord> = {},
): Issued {
  const { grantId, access, cnf, usualTargets } = fresh;
  const targets = fresh.targets ?? grant.targets ?? usualTargets;
  const { clientId, sub, scopes } = grant;
  const { nowMs: issuedAtMs } = view;
  const expiresAtMs = Math.min(issuedAtMs + lifetimesIn(view).access * 1000, untilMs);
  const usual = { grantId, clientId, sub, scope: scopes.join(' '), targets, cnf, act: undefined };
  const record = { ...usual, issuedAtMs, expiresAtMs, ...own };
  view.write(accessTokens, keyOf(access), record, { expiresAtMs });
  return { grant, access, record };
}

export function writeRefresh(
  view: Transaction,
  { refresh, cnf: proved }: FreshTexts,
  grantId: string,
  client: Client,
): string {
  const { clientId } = client;
  const issuedAtMs = view.nowMs;
  const expiresAtMs = issuedAtMs + lifetimesIn(view).refresh * 1000;
  const cnf = isPublic(client) ? proved : undefined;
  const record = { grantId, clientId, issuedAtMs, expiresAtMs, cnf };
  view.write(refreshTokens, keyOf(refresh), record, { expiresAtMs });
  return refresh;
}

export interface TokenRequest extends Signing {
  readonly form: Form;
  readonly client: Client;
  readonly offers: Offers;
  readonly cnf: Confirmation | undefined;
  readonly requested: Misbehaviour | undefined;
}

/** An error is returned, not thrown, so that previous writes remain. */
type Redeem = (view: Transaction, fresh: FreshTexts) => Issued | OAuthError;

export type Redeemer = (request: TokenRequest) => Redeem | Promise<Redeem>;

export function invalidGrant(message: string): OAuthError {
  return new OAuthError('invalid_grant', message);
}

export function invalidTarget({ targets = [] }: Grant): OAuthError {
  const message = `The resource must not exceed the grant: ${targets.join(' ')}.`;
  return new OAuthError('invalid_target', message);
}
