/**
 * Grants of clients: with their credentials (RFC 6749 section 4.4), a token (RFC 8693), a JWT (RFC 7523 section 2.1).
 */

import { needed } from '#http/oauth/form.js';
import { invalidRequest, OAuthError } from '#http/oauth/oauth-error.js';
import { readScope } from '#http/oauth/read-scope.js';
import { isFirstUse, verifyClientJwt } from '../clients/client-jwt.js';
import { isPublic } from '../model/client.js';
import { accessTokens, isProved } from '../model/grants.js';
import { isWithin, mcpScopes, namedScopes, usualScopes } from '../model/scopes.js';
import { findUser } from '../model/users.js';
import { findAccess } from './access.js';
import {
  invalidGrant,
  issueTokens,
  type Redeemer,
  type TokenRequest,
  writeAccess,
} from './issue.js';

export const redeemCredentials: Redeemer = ({
  form,
  client,
  offers: { serviceScopes: allowed },
}) => {
  if (isPublic(client)) {
    const message = 'A public client has no credentials.';
    throw new OAuthError('unauthorized_client', message);
  }
  const { clientId } = client;
  const fault = `The scope of a client without a user must be one or more of ${namedScopes(allowed)}, separated by one space.`;
  if (allowed.length === 0) throw new OAuthError('invalid_scope', fault);
  const usual = allowed.filter((each) => !mcpScopes.some((known) => known === each));
  const offered = { allowed, ...(usual.length > 0 && { usual }), fault };
  const scopes = readScope(form.get('scope'), offered);
  const grant = { clientId, sub: clientId, isOfUser: false, scopes };
  return (view, fresh) => issueTokens(view, client, grant, fresh);
};

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
const jwtType = 'urn:ietf:params:oauth:token-type:jwt';
const tokenTypes = [accessTokenType, jwtType];

/** Exchanges a token of this issuer, as the user (impersonation) or on behalf of the user (delegation). */
export const redeemExchange: Redeemer = async (request) => {
  const { form, client, offers } = request;
  const { clientId } = client;
  if (isPublic(client)) {
    throw new OAuthError('unauthorized_client', 'A public client may not exchange tokens.');
  }
  const issuedTokenType = form.get('requested_token_type') ?? accessTokenType;
  if (!tokenTypes.includes(issuedTokenType)) throw wrongType('requested_token_type');
  const subject = await readToken(request, 'subject_token');
  const actor = form.has('actor_token') ? await readToken(request, 'actor_token') : undefined;
  if (actor === undefined && form.has('actor_token_type')) {
    throw invalidRequest('The request has an actor_token_type without an actor_token.');
  }
  const { grantId, sub, scope, targets: granted, act: before } = subject.record;
  const fault = `The scope must not exceed the subject's scope: ${scope}.`;
  const scopes = readScope(form.get('scope'), { allowed: scope.split(' '), fault });
  // The previous actor is nested in the current actor (section 4.1).
  const act = actor === undefined ? before : { sub: actor.record.sub, act: before };
  const isJwt = issuedTokenType === jwtType || client.accessToken === 'jwt';
  // The new token expires with the first of these tokens.
  const used = actor === undefined ? [subject] : [subject, actor];
  const expiresAtMs = Math.min(...used.map(({ record }) => record.expiresAtMs));
  return (view, fresh) => {
    // With this grant, an API gets tokens for the next API: for any resource in the sandbox's settings.
    const narrowed = fresh.targets?.filter((each) => !offers.resources.includes(each));
    if (!isWithin(narrowed, granted)) {
      const message = `The subject_token is only for ${granted?.join(' ')}.`;
      return new OAuthError('invalid_target', message);
    }
    const isGone = used.some(({ key }) => view.read(accessTokens, key) === undefined);
    if (isGone) return invalidRequest('The token was revoked.');
    const grant = { ...subject.grant, clientId, sub };
    const targets = fresh.targets ?? granted;
    const own = { grantId, scope: scopes.join(' '), targets, act, expiresAtMs };
    return { ...writeAccess(view, fresh, grant, own), isJwt, issuedTokenType };
  };
};

async function readToken(request: TokenRequest, name: 'subject_token' | 'actor_token') {
  const { form, cnf } = request;
  const token = needed(form, name);
  if (!tokenTypes.includes(needed(form, `${name}_type`))) throw wrongType(`${name}_type`);
  const found = await findAccess(request, token);
  // Section 2.2.2: an invalid token makes the request invalid.
  if (typeof found === 'string') throw invalidRequest(`The ${name}: ${found}.`);
  if (isProved(found.record.cnf, cnf)) return found;
  throw invalidRequest(
    `The ${name} is bound to a key: send a DPoP proof with that key, or its certificate.`,
  );
}

function wrongType(name: string): OAuthError {
  return invalidRequest(`The ${name} must be ${tokenTypes.join(' or ')}.`);
}

export const redeemAssertion: Redeemer = async ({ form, client, sandbox, issuer, offers }) => {
  const { clientId } = client;
  // No user is involved, so there is no refresh token and no ID token.
  const allowed = offers.scopes.filter((each) => each !== 'offline_access');
  const fault = `The scope must be one or more of ${namedScopes(allowed)}.`;
  const scopes = readScope(form.get('scope'), { allowed, usual: usualScopes(allowed), fault });
  const nowMs = await sandbox.now();
  const claims = await verifyClientJwt(needed(form, 'assertion'), client, nowMs, {
    audience: [issuer.url, issuer.at('token')],
    requiredClaims: ['sub', 'exp', 'jti'],
  });
  if (typeof claims === 'string') throw rejected(claims);
  const user = await findUser(sandbox, claims.sub ?? '');
  if (user === undefined) throw rejected('its sub is not a user');
  if (!(await isFirstUse(sandbox, clientId, claims))) throw rejected('its jti was already used');
  const grant = { clientId, sub: user.username, isOfUser: true, scopes };
  return (view, fresh) => issueTokens(view, client, grant, fresh);
};

function rejected(reason: string) {
  return invalidGrant(`The assertion is invalid: ${reason}.`);
}
