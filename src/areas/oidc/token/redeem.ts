/** The steps by which codes and refresh tokens become new tokens, each as a whole or not at all. */

import type { Transaction } from '../../../state/state.js';
import { type Client, isPublic } from '../clients/client.js';
import { keyOf } from '../random-text.js';
import { isWithin } from '../resource/targets.js';
import { lifetimesIn } from '../settings/issuer-settings.js';
import { verifierFault } from './check-verifier.js';
import {
  accessTokens,
  type Confirmation,
  codes,
  endGrant,
  type Grant,
  grants,
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
  readonly nowMs: number;
}

/** The OAuth error and what to say. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

export interface CodeProof {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string | undefined;
}

/** RFC 6749 section 4.1.3. A code that comes again ends what came of it (section 4.1.2). */
export function redeemCode(
  view: Transaction,
  client: Client,
  { code, redirectUri, verifier }: CodeProof,
  fresh: FreshTexts,
): Issued | Refusal {
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
  const fault = verifierFault(record.codeChallenge, verifier);
  if (fault !== undefined) return invalidGrant(fault);
  if (record.jkt !== undefined && record.jkt !== fresh.cnf?.jkt) {
    return invalidGrant(
      'The DPoP proof is not by the key of the dpop_jkt that the code is bound to.',
    );
  }
  const { grant } = record;
  if (!isWithin(fresh.targets, grant.targets)) return invalidTarget(grant);
  const { scopes } = grant;
  const isLasting =
    scopes.includes('offline_access') && client.grantTypes.includes('refresh_token');
  const lifetimes = lifetimesIn(view);
  const lifeMs =
    1000 * (isLasting ? Math.max(lifetimes.refresh, lifetimes.access) : lifetimes.access);
  const spent = { ...record, grantId: fresh.grantId };
  view.write(codes, keyOf(code), spent, { expiresAtMs: nowMs + lifeMs });
  view.write(grants, fresh.grantId, grant, { expiresAtMs: nowMs + lifeMs });
  writeAccess(view, fresh, fresh.grantId, grant, scopes);
  const { access, refresh, cnf } = fresh;
  const targets = fresh.targets ?? grant.targets;
  if (!isLasting) return { grant, scopes, access, cnf, targets, nowMs };
  writeRefresh(view, fresh, fresh.grantId, client);
  return { grant, scopes, access, refresh, cnf, targets, nowMs };
}

/** RFC 9700 section 4.14.2: each works once, and one that comes again ends its family. */
export function redeemRefresh(
  view: Transaction,
  client: Client,
  { token, scope }: { readonly token: string; readonly scope: string | undefined },
  fresh: FreshTexts,
): Issued | Refusal {
  const { nowMs } = view;
  const key = keyOf(token);
  const record = view.read(refreshTokens, key);
  const grant = record && view.read(grants, record.grantId);
  if (record === undefined || record.clientId !== client.clientId) {
    return invalidGrant('The refresh token is not one that was given to this client.');
  }
  if (record.cnf !== undefined && record.cnf.jkt !== fresh.cnf?.jkt) {
    return invalidGrant('The refresh token is bound to a key: send a DPoP proof by that key.');
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
  const used: RefreshRecord = { ...record, isUsed: true };
  view.write(refreshTokens, key, used, { expiresAtMs: record.expiresAtMs });
  const lifetimes = lifetimesIn(view);
  const lifeMs = Math.max(lifetimes.refresh, lifetimes.access) * 1000;
  view.write(grants, record.grantId, grant, { expiresAtMs: nowMs + lifeMs });
  writeAccess(view, fresh, record.grantId, grant, scopes);
  writeRefresh(view, fresh, record.grantId, client);
  const { access, refresh, cnf, targets = grant.targets } = fresh;
  return { grant, scopes, access, refresh, cnf, targets, nowMs };
}

/** An access token alone: RFC 6749 section 4.4. */
export function issueAccess(view: Transaction, grant: Grant, fresh: FreshTexts): Issued {
  const expiresAtMs = view.nowMs + lifetimesIn(view).access * 1000;
  view.write(grants, fresh.grantId, grant, { expiresAtMs });
  writeAccess(view, fresh, fresh.grantId, grant, grant.scopes);
  const { access, cnf, targets } = fresh;
  return { grant, scopes: grant.scopes, access, cnf, targets, nowMs: view.nowMs };
}

function writeAccess(
  view: Transaction,
  { access, cnf, targets: asked }: FreshTexts,
  grantId: string,
  { clientId, sub, targets: granted }: Grant,
  scopes: readonly string[],
): void {
  const issuedAtMs = view.nowMs;
  const expiresAtMs = issuedAtMs + lifetimesIn(view).access * 1000;
  const scope = scopes.join(' ');
  const targets = asked ?? granted;
  const bound = {
    ...(cnf !== undefined && { cnf }),
    ...(targets !== undefined && { targets }),
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

function invalidTarget({ targets = [] }: Grant): Refusal {
  const message = `The resource can be no more than was granted: ${targets.join(' ')}.`;
  return { code: 'invalid_target', message };
}

function invalidGrant(message: string): Refusal {
  return { code: 'invalid_grant', message };
}
