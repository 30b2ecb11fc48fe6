/** Issues tokens within a transaction: all of them or none. */

import { keyOf } from '../../../http/credentials/secret-text.js';
import type { Transaction } from '../../../state/state.js';
import { type Client, isPublic } from '../clients/client.js';
import type { Misbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { lifetimesIn } from '../settings/issuer-settings.js';
import {
  type Actor,
  accessTokens,
  type Confirmation,
  type Grant,
  grants,
  refreshTokens,
} from './grants.js';

/** What new tokens are made of. Random texts are made before the transaction, which may run again. */
export interface FreshTexts {
  readonly grantId: string;
  readonly access: string;
  readonly refresh: string;
  /** What the client has proved, and the tokens are bound to. */
  readonly cnf: Confirmation | undefined;
  /** Where the access token shall be used: no more than was granted. */
  readonly targets: readonly string[] | undefined;
}

export interface Issued {
  readonly grant: Grant;
  /** The scopes of the access token. */
  readonly scopes: readonly string[];
  readonly access: string;
  readonly refresh?: string;
  readonly cnf: Confirmation | undefined;
  readonly targets: readonly string[] | undefined;
  /** Who uses the token for its subject (RFC 8693 section 4.1). */
  readonly act: Actor | undefined;
  readonly nowMs: number;
  readonly expiresAtMs: number;
  /** The nonce of the authorization request; a refresh has none (OpenID Connect Core section 12.2). */
  readonly nonce?: string | undefined;
  /** The type of a token that came of another one (RFC 8693 section 2.2.1). */
  readonly issuedTokenType?: string;
  readonly isJwt?: boolean;
  readonly misbehaviour?: Misbehaviour | undefined;
}

/** The first tokens of what a user has granted: with a refresh token for `offline_access` only. */
export function issueTokens(
  view: Transaction,
  client: Client,
  grant: Grant,
  fresh: FreshTexts,
): Issued {
  writeGrant(view, fresh.grantId, grant, lifeOf(view, client, grant));
  const issued = writeAccess(view, fresh, { grant });
  if (!isLasting(client, grant)) return issued;
  return { ...issued, refresh: writeRefresh(view, fresh, fresh.grantId, client) };
}

function isLasting({ grantTypes }: Client, { scopes }: Grant): boolean {
  return scopes.includes('offline_access') && grantTypes.includes('refresh_token');
}

/** Returns how long a grant lives, in milliseconds. */
export function lifeOf(view: Transaction, client: Client, grant: Grant): number {
  const { refresh, access } = lifetimesIn(view);
  return 1000 * (isLasting(client, grant) ? Math.max(refresh, access) : access);
}

/** An access token only: RFC 6749 section 4.4. */
export function issueAccess(view: Transaction, grant: Grant, fresh: FreshTexts): Issued {
  writeGrant(view, fresh.grantId, grant, lifetimesIn(view).access * 1000);
  return writeAccess(view, fresh, { grant });
}

export function writeGrant(view: Transaction, id: string, grant: Grant, lifeMs: number): void {
  view.write(grants, id, grant, { expiresAtMs: view.nowMs + lifeMs });
}

interface Access {
  readonly grant: Grant;
  /** The grant that it ends with; a new one without it. */
  readonly grantId?: string;
  readonly scopes?: readonly string[];
  readonly act?: Actor | undefined;
  /** Where it ends sooner than others. */
  readonly untilMs?: number;
}

export function writeAccess(
  view: Transaction,
  fresh: FreshTexts,
  { grant, grantId = fresh.grantId, scopes = grant.scopes, act, untilMs = Infinity }: Access,
): Issued {
  const { access, cnf, targets = grant.targets } = fresh;
  const { nowMs } = view;
  const { clientId, sub } = grant;
  const expiresAtMs = Math.min(nowMs + lifetimesIn(view).access * 1000, untilMs);
  const scope = scopes.join(' ');
  const times = { issuedAtMs: nowMs, expiresAtMs };
  const record = { grantId, clientId, sub, scope, ...times, cnf, targets, act };
  view.write(accessTokens, keyOf(access), record, { expiresAtMs });
  return { grant, scopes, access, cnf, targets, act, nowMs, expiresAtMs };
}

/** Returns the token. */
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
