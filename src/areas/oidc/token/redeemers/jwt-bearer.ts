/** A client speaks for a user by a JWT that it signed itself: RFC 7523 section 2.1. */

import type { Form } from '../../../../http/credentials/oauth-form.js';
import type { Client } from '../../clients/client.js';
import { isFirstUse, maxLifeSeconds } from '../../clients/client-assertion.js';
import { verifyClientJwt } from '../../clients/client-jwt.js';
import { oauthError } from '../../oauth-error.js';
import { needed } from '../../read-parameters.js';
import { knownScopes } from '../../scopes.js';
import { findUser } from '../../users/find-user.js';
import { issueAccess } from '../redeem.js';
import type { RedeemContext, Redeemer } from './redeemer.js';

/** There is no user to ask, so there is no refresh token and no ID token. */
const scopesForUser = knownScopes.filter((each) => each !== 'offline_access');

export const redeemAssertion: Redeemer = async (form, client, context) => {
  const scopes = readScopes(form.get('scope'));
  const sub = await readSubject(form, client, context);
  const grant = { clientId: client.clientId, sub, isOfUser: true, scopes };
  return (view, fresh) => issueAccess(view, grant, fresh);
};

async function readSubject(
  form: Form,
  client: Client,
  { signing: { sandbox, issuer } }: RedeemContext,
): Promise<string> {
  const { clientId } = client;
  const nowMs = await sandbox.now();
  const claims = await verifyClientJwt(needed(form, 'assertion'), client, {
    issuer: clientId,
    audience: [issuer.url, issuer.at('token')],
    currentDate: new Date(nowMs),
    requiredClaims: ['sub', 'exp', 'jti'],
  });
  if (typeof claims === 'string') throw rejected(claims);
  const { exp = 0, sub = '' } = claims;
  if (exp * 1000 > nowMs + maxLifeSeconds * 1000) {
    throw rejected(`its exp is more than ${maxLifeSeconds} seconds ahead`);
  }
  const user = await findUser(sandbox, sub);
  if (user === undefined) throw rejected('its sub is no user');
  if (await isFirstUse(sandbox, clientId, claims)) return user.username;
  throw rejected('its jti was used before');
}

function readScopes(scope: string | undefined): readonly string[] {
  if (scope === undefined) return ['profile'];
  const asked = [...new Set(scope.split(' '))];
  if (asked.every((each) => scopesForUser.some((known) => known === each))) return asked;
  throw oauthError('invalid_scope', `The scope is of ${scopesForUser.join(', ')}.`);
}

function rejected(reason: string) {
  return oauthError('invalid_grant', `The assertion is invalid: ${reason}.`);
}
