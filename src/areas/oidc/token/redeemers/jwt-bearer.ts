/** A client speaks for a user by a JWT that it signed itself: RFC 7523 section 2.1. */

import { needed } from '../../../../http/oauth/form.js';
import { readScope } from '../../../../http/oauth/read-scope.js';
import { isFirstUse, verifyClientJwt } from '../../clients/client-jwt.js';
import { knownScopes } from '../../scopes.js';
import { findUser } from '../../users.js';
import { issueAccess } from '../issue.js';
import { invalidGrant, type Redeemer } from './redeemer.js';

/** No user is asked, so there is no refresh token and no ID token. */
const allowed = knownScopes.filter((each) => each !== 'offline_access');
const scopeRule = { allowed, usual: ['profile'], fault: `The scope is of ${allowed.join(', ')}.` };

export const redeemAssertion: Redeemer = async ({ form, client, sandbox, issuer }) => {
  const { clientId } = client;
  const scopes = readScope(form.get('scope'), scopeRule);
  const nowMs = await sandbox.now();
  const claims = await verifyClientJwt(needed(form, 'assertion'), client, nowMs, {
    audience: [issuer.url, issuer.at('token')],
    requiredClaims: ['sub', 'exp', 'jti'],
  });
  if (typeof claims === 'string') throw rejected(claims);
  const user = await findUser(sandbox, claims.sub ?? '');
  if (user === undefined) throw rejected('its sub is no user');
  if (!(await isFirstUse(sandbox, clientId, claims))) throw rejected('its jti was used before');
  const grant = { clientId, sub: user.username, isOfUser: true, scopes };
  return (view, fresh) => issueAccess(view, grant, fresh);
};

function rejected(reason: string) {
  return invalidGrant(`The assertion is invalid: ${reason}.`);
}
