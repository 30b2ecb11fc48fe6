/** Redeems grants of users: a code (RFC 6749 section 4.1.3), a refresh token (section 6), a device code (RFC 8628). */

import { hash } from 'node:crypto';
import { isSameSecret } from '#http/credentials/is-same-secret.js';
import { keyOf } from '#http/credentials/secret-text.js';
import { needed } from '#http/oauth/form.js';
import { OAuthError } from '#http/oauth/oauth-error.js';
import { readScope } from '#http/oauth/read-scope.js';
import { misbehaviourIn } from '../misbehaviour/choose-misbehaviour.js';
import { caseOf } from '../misbehaviour/misbehaviours.js';
import { devices, writeDevice } from '../model/devices.js';
import { codes, endGrant, grants, isProved, refreshTokens } from '../model/grants.js';
import { isWithin } from '../model/scopes.js';
import {
  invalidGrant,
  invalidTarget,
  issueTokens,
  lifeOf,
  type Redeemer,
  writeAccess,
  writeGrant,
  writeRefresh,
} from './issue.js';

/** A reused code revokes the tokens of its first use (section 4.1.2). */
export const redeemCode: Redeemer = ({ form, client, requested }) => {
  const key = keyOf(needed(form, 'code'));
  const redirectUri = needed(form, 'redirect_uri');
  const verifier = form.get('code_verifier');
  return (view, fresh) => {
    const record = view.read(codes, key);
    if (record === undefined || record.clientId !== client.clientId) {
      return invalidGrant('The code was not issued to this client recently.');
    }
    if (record.grantId !== undefined) {
      endGrant(view, record.grantId);
      return invalidGrant('The code was already used. The tokens of its first use are revoked.');
    }
    if (view.nowMs >= record.expiresAtMs) {
      const end = new Date(record.expiresAtMs).toISOString();
      return invalidGrant(`The code expired at '${end}'.`);
    }
    if (record.redirectUri !== redirectUri) {
      return invalidGrant('The redirect_uri differs from the authorization request.');
    }
    const misbehaviour = misbehaviourIn(view, requested, record.grant.misbehaviour);
    const { acceptsAnyVerifier = false } = caseOf(misbehaviour);
    const fault = verifierFault(record.codeChallenge, verifier);
    if (fault !== undefined && !acceptsAnyVerifier) return invalidGrant(fault);
    if (record.jkt !== undefined && record.jkt !== fresh.cnf?.jkt) {
      return invalidGrant('The code is bound to dpop_jkt, but the DPoP proof has another key.');
    }
    const grant = { ...record.grant, misbehaviour: requested ?? record.grant.misbehaviour };
    if (!isWithin(fresh.targets, grant.targets)) return invalidTarget(grant);
    const expiresAtMs = view.nowMs + lifeOf(view, client, grant);
    view.write(codes, key, { ...record, grantId: fresh.grantId }, { expiresAtMs });
    const { nonce } = grant;
    return { ...issueTokens(view, client, grant, fresh), nonce, misbehaviour };
  };
};

const verifierForm = /^[\w.~-]{43,128}$/;

/** Returns what is wrong with a verifier. A challenge is required (section 4.5.2 of OAuth 2.1). */
export function verifierFault(challenge?: string, verifier?: string): string | undefined {
  if (challenge === undefined) {
    if (verifier === undefined) return undefined;
    return 'The request has a code_verifier, but the authorization request had no code_challenge.';
  }
  if (verifier === undefined) return 'The code_verifier is missing.';
  if (!verifierForm.test(verifier)) {
    return 'The code_verifier must be 43 to 128 letters, digits, dots, hyphens, underscores and tildes.';
  }
  if (isSameSecret(hash('sha256', verifier, 'base64url'), challenge)) return undefined;
  return 'The code_verifier does not match the code_challenge.';
}

/** Each works once, and a reused token revokes its family (RFC 9700 section 4.14.2). */
export const redeemRefresh: Redeemer = ({ form, client, requested }) => {
  const token = needed(form, 'refresh_token');
  const key = keyOf(token);
  return (view, fresh) => {
    const record = view.read(refreshTokens, key);
    const grant = record && view.read(grants, record.grantId);
    if (record === undefined || record.clientId !== client.clientId) {
      return invalidGrant('The refresh token was not issued to this client.');
    }
    const { grantId, expiresAtMs } = record;
    if (!isProved(record.cnf, fresh.cnf)) {
      return invalidGrant(
        'The refresh token is bound to a key: send a DPoP proof with that key, or its certificate.',
      );
    }
    if (record.isUsed) {
      endGrant(view, grantId);
      return invalidGrant(
        'The refresh token was already used. All tokens of its login are revoked.',
      );
    }
    if (grant === undefined) return invalidGrant('The refresh token was revoked.');
    if (!isWithin(fresh.targets, grant.targets)) return invalidTarget(grant);
    const fault = `The scope must not exceed the grant: ${grant.scopes.join(' ')}.`;
    const scopes = readScope(form.get('scope'), { allowed: grant.scopes, fault });
    const misbehaviour = misbehaviourIn(view, requested, grant.misbehaviour);
    const { keepsRefreshToken: isKept = false } = caseOf(misbehaviour);
    if (!isKept) view.write(refreshTokens, key, { ...record, isUsed: true }, { expiresAtMs });
    writeGrant(view, grantId, grant, client);
    const issued = writeAccess(view, fresh, grant, { grantId, scope: scopes.join(' ') });
    const refresh = isKept ? token : writeRefresh(view, fresh, grantId, client);
    return { ...issued, refresh, misbehaviour, isRefresh: true };
  };
};

export const redeemDeviceCode: Redeemer = ({ form, client }) => {
  const key = keyOf(needed(form, 'device_code'));
  return (view, fresh) => {
    const { nowMs } = view;
    const device = view.read(devices, key);
    if (device === undefined || device.clientId !== client.clientId) {
      return invalidGrant('The device_code was not issued to this client recently.');
    }
    const { outcome, askedAtMs, expiresAtMs, intervalSeconds: interval } = device;
    if (outcome === 'used') return invalidGrant('The device_code was already used.');
    if (nowMs >= expiresAtMs) {
      const end = new Date(expiresAtMs).toISOString();
      const message = `The device_code expired at '${end}'. Request a new one.`;
      return new OAuthError('expired_token', message);
    }
    if (askedAtMs !== undefined && nowMs < askedAtMs + interval * 1000) {
      const slower = interval + 5;
      writeDevice(view, key, { ...device, askedAtMs: nowMs, intervalSeconds: slower });
      const message = `Polling too fast: wait ${slower} seconds between requests from now on.`;
      return new OAuthError('slow_down', message);
    }
    if (outcome === 'denied')
      return new OAuthError('access_denied', 'The user denied the request.');
    if (outcome === undefined) {
      writeDevice(view, key, { ...device, askedAtMs: nowMs });
      const message = `The user has not decided yet. Try again in ${interval} seconds.`;
      return new OAuthError('authorization_pending', message);
    }
    writeDevice(view, key, { ...device, outcome: 'used' });
    return issueTokens(view, client, outcome, fresh);
  };
};
