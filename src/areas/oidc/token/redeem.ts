/** The steps by which codes and refresh tokens become new tokens, each as a whole or not at all. */

import type { Transaction } from '../../../state/state.js';
import { type Client, isPublic } from '../clients/client.js';
import { type Conduct, conductIn } from '../misbehaviour/conduct.js';
import { keyOf } from '../random-text.js';
import { isWithin } from '../resource/targets.js';
import { lifetimesIn } from '../settings/issuer-settings.js';
import { verifierFault } from './check-verifier.js';
import {
  type AccessRecord,
  type Actor,
  accessTokens,
  type Confirmation,
  codes,
  endGrant,
  type Grant,
  grants,
  isProved,
  type RefreshRecord,
  refreshTokens,
} from './grants.js';

/** What new tokens are made of. Random texts are made before, for a step may be run again. */
export interface FreshTexts {
  readonly grantId: string;
  readonly access: string;
  readonly refresh: string;
  /** What the client has proved, and the tokens are bound to. */
  readonly cnf?: Confirmation | undefined;
  /** Where the access token shall be used: no more than was granted. */
  readonly targets?: readonly string[] | undefined;
}

export interface Issued {
  readonly grant: Grant;
  /** Those of the access token. */
  readonly scopes: readonly string[];
  readonly access: string;
  readonly refresh?: string;
  readonly cnf?: Confirmation | undefined;
  readonly targets?: readonly string[] | undefined;
  /** Who uses the token for whom it is of (RFC 8693 section 4.1). */
  readonly act?: Actor | undefined;
  /** Where it ends sooner than others. */
  readonly expiresAtMs?: number;
  /** Of a token that came of another one (RFC 8693 section 2.2.1). */
  readonly issuedTokenType?: string;
  readonly isJwt?: boolean;
  readonly nowMs: number;
  /** How the issuer behaves here. */
  readonly conduct?: Conduct | undefined;
}

/** The OAuth error and what to say. */
export interface Rejection {
  readonly code: string;
  readonly message: string;
}

export interface CodeProof {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string | undefined;
  readonly asked?: Conduct | undefined;
}

/** RFC 6749 section 4.1.3. A code that comes again ends what came of it (section 4.1.2). */
export function redeemCode(
  view: Transaction,
  client: Client,
  { code, redirectUri, verifier, asked }: CodeProof,
  fresh: FreshTexts,
): Issued | Rejection {
  const { nowMs } = view;
  const record = view.read(codes, keyOf(code));
  if (record === undefined || record.clientId !== client.clientId) {
    return invalidGrant('The code is not one that was given to this client lately.');
  }
  if (record.grantId !== undefined) {
    endGrant(view, record.grantId);
    return invalidGrant('The code was used before. The tokens that it gave are revoked.');
  }
  if (nowMs >= record.expiresAtMs) {
    const end = new Date(record.expiresAtMs).toISOString();
    return invalidGrant(`The code expired at '${end}'.`);
  }
  if (record.redirectUri !== redirectUri) {
    return invalidGrant('The redirect_uri is not the one of the authorization request.');
  }
  const conduct = conductIn(view, asked, record.grant.conduct);
  if (conduct?.misbehaviour !== 'pkce-unchecked') {
    const fault = verifierFault(record.codeChallenge, verifier);
    if (fault !== undefined) return invalidGrant(fault);
  }
  if (record.jkt !== undefined && record.jkt !== fresh.cnf?.jkt) {
    return invalidGrant(
      'The DPoP proof is not by the key of the dpop_jkt that the code is bound to.',
    );
  }
  const grant = asked === undefined ? record.grant : { ...record.grant, conduct: asked };
  if (!isWithin(fresh.targets, grant.targets)) return invalidTarget(grant);
  const spent = { ...record, grantId: fresh.grantId };
  const lifeMs = lifeOf(view, client, grant);
  view.write(codes, keyOf(code), spent, { expiresAtMs: nowMs + lifeMs });
  return { ...issueTokens(view, client, grant, fresh), conduct };
}

/** The first tokens of what a user has granted: a refresh token with `offline_access` alone. */
export function issueTokens(
  view: Transaction,
  client: Client,
  grant: Grant,
  fresh: FreshTexts,
): Issued {
  const { nowMs } = view;
  const { scopes } = grant;
  const expiresAtMs = nowMs + lifeOf(view, client, grant);
  view.write(grants, fresh.grantId, grant, { expiresAtMs });
  writeAccess(view, fresh, fresh.grantId, grant, scopes);
  const { access, refresh, cnf } = fresh;
  const targets = fresh.targets ?? grant.targets;
  if (!isLasting(client, grant)) return { grant, scopes, access, cnf, targets, nowMs };
  writeRefresh(view, fresh, fresh.grantId, client);
  return { grant, scopes, access, refresh, cnf, targets, nowMs };
}

function isLasting({ grantTypes }: Client, { scopes }: Grant): boolean {
  return scopes.includes('offline_access') && grantTypes.includes('refresh_token');
}

function lifeOf(view: Transaction, client: Client, grant: Grant): number {
  const { refresh, access } = lifetimesIn(view);
  return 1000 * (isLasting(client, grant) ? Math.max(refresh, access) : access);
}

export interface RefreshProof {
  readonly token: string;
  readonly scope: string | undefined;
  readonly asked?: Conduct | undefined;
}

/** RFC 9700 section 4.14.2: each works once, and one that comes again ends its family. */
export function redeemRefresh(
  view: Transaction,
  client: Client,
  { token, scope, asked }: RefreshProof,
  fresh: FreshTexts,
): Issued | Rejection {
  const { nowMs } = view;
  const key = keyOf(token);
  const record = view.read(refreshTokens, key);
  const grant = record && view.read(grants, record.grantId);
  if (record === undefined || record.clientId !== client.clientId) {
    return invalidGrant('The refresh token is not one that was given to this client.');
  }
  if (!isProved(record.cnf, fresh.cnf)) {
    return invalidGrant(
      'The refresh token is bound to a key: send a DPoP proof by that key, or its certificate.',
    );
  }
  if (record.isUsed) {
    endGrant(view, record.grantId);
    return invalidGrant('The refresh token was used before. All tokens of its login are revoked.');
  }
  if (grant === undefined) return invalidGrant('The refresh token was revoked.');
  if (!isWithin(fresh.targets, grant.targets)) return invalidTarget(grant);
  const scopes = scope === undefined ? grant.scopes : [...new Set(scope.split(' '))];
  if (!scopes.every((each) => grant.scopes.includes(each))) {
    const message = `The scope can be no more than was granted: ${grant.scopes.join(' ')}.`;
    return { code: 'invalid_scope', message };
  }
  const conduct = conductIn(view, asked, grant.conduct);
  const isKept = conduct?.misbehaviour === 'refresh-not-rotated';
  const used: RefreshRecord = { ...record, isUsed: true };
  if (!isKept) view.write(refreshTokens, key, used, { expiresAtMs: record.expiresAtMs });
  const lifetimes = lifetimesIn(view);
  const lifeMs = Math.max(lifetimes.refresh, lifetimes.access) * 1000;
  view.write(grants, record.grantId, grant, { expiresAtMs: nowMs + lifeMs });
  writeAccess(view, fresh, record.grantId, grant, scopes);
  if (!isKept) writeRefresh(view, fresh, record.grantId, client);
  const { access, cnf, targets = grant.targets } = fresh;
  const refresh = isKept ? token : fresh.refresh;
  return { grant, scopes, access, refresh, cnf, targets, nowMs, conduct };
}

/** An access token alone: RFC 6749 section 4.4. */
export function issueAccess(view: Transaction, grant: Grant, fresh: FreshTexts): Issued {
  const expiresAtMs = view.nowMs + lifetimesIn(view).access * 1000;
  view.write(grants, fresh.grantId, grant, { expiresAtMs });
  writeAccess(view, fresh, fresh.grantId, grant, grant.scopes);
  const { access, cnf, targets } = fresh;
  return { grant, scopes: grant.scopes, access, cnf, targets, nowMs: view.nowMs };
}

export interface Exchanged {
  readonly grant: Grant;
  readonly scopes: readonly string[];
  readonly act: Actor | undefined;
  /** What it came of: the first is the one that it ends with, and it outlives none. */
  readonly until: readonly [AccessHolder, ...AccessHolder[]];
}

interface AccessHolder {
  readonly key: string;
  readonly record: AccessRecord;
}

/** An access token that came of others. */
export function exchangeAccess(
  view: Transaction,
  { grant, scopes, act, until }: Exchanged,
  fresh: FreshTexts,
): Issued | Rejection {
  const { nowMs } = view;
  const isGone = until.some(({ key }) => view.read(accessTokens, key) === undefined);
  if (isGone) return { code: 'invalid_request', message: 'The token was revoked.' };
  const ends = until.map(({ record }) => record.expiresAtMs);
  const expiresAtMs = Math.min(nowMs + lifetimesIn(view).access * 1000, ...ends);
  const { grantId } = until[0].record;
  writeAccess(view, fresh, grantId, grant, scopes, { expiresAtMs, act });
  const { access, cnf, targets } = fresh;
  return { grant, scopes, access, cnf, targets, act, expiresAtMs, nowMs };
}

function writeAccess(
  view: Transaction,
  { access, cnf, targets: asked }: FreshTexts,
  grantId: string,
  { clientId, sub, targets: granted }: Grant,
  scopes: readonly string[],
  more: { readonly expiresAtMs?: number; readonly act?: Actor | undefined } = {},
): void {
  const issuedAtMs = view.nowMs;
  const { act, expiresAtMs = issuedAtMs + lifetimesIn(view).access * 1000 } = more;
  const scope = scopes.join(' ');
  const targets = asked ?? granted;
  const bound = {
    ...(cnf !== undefined && { cnf }),
    ...(targets !== undefined && { targets }),
    ...(act !== undefined && { act }),
  };
  const record = { grantId, clientId, sub, scope, issuedAtMs, expiresAtMs, ...bound };
  view.write(accessTokens, keyOf(access), record, { expiresAtMs });
}

function writeRefresh(
  view: Transaction,
  { refresh, cnf }: FreshTexts,
  grantId: string,
  client: Client,
): void {
  const issuedAtMs = view.nowMs;
  const expiresAtMs = issuedAtMs + lifetimesIn(view).refresh * 1000;
  const bound = cnf !== undefined && isPublic(client) ? { cnf } : {};
  const record = { grantId, clientId: client.clientId, issuedAtMs, expiresAtMs, ...bound };
  view.write(refreshTokens, keyOf(refresh), record, { expiresAtMs });
}

function invalidTarget({ targets = [] }: Grant): Rejection {
  const message = `The resource can be no more than was granted: ${targets.join(' ')}.`;
  return { code: 'invalid_target', message };
}

function invalidGrant(message: string): Rejection {
  return { code: 'invalid_grant', message };
}
