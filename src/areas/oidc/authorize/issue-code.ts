/** An authorization code, and what the user granted by it (RFC 6749 section 4.1.2). */

import type { Sandbox } from '../../../state/state.js';
import type { Conduct } from '../misbehaviour/conduct.js';
import { spoilGrant } from '../misbehaviour/spoil-response.js';
import { keyOf, randomText } from '../random-text.js';
import { lifetimesIn } from '../settings/issuer-settings.js';
import { codes, type Grant } from '../token/grants.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { consentKey, consents, type Session, sessionClients } from './session.js';

/** For so long a code that is used is known again. */
const rememberedMs = 3600 * 1000;

/** So many clients hear of the end of a session. */
const maxHeard = 20;

export async function issueCode(
  sandbox: Sandbox,
  wanted: AuthorizationRequest,
  session: Session,
  code: string,
  { conduct, asked }: { conduct?: Conduct | undefined; asked?: Conduct | undefined } = {},
): Promise<void> {
  const { client, redirectUri, codeChallenge, dpopJkt: jkt, scopes } = wanted;
  const granted = {
    grant: { ...grantOf(wanted, session), ...(asked !== undefined && { conduct: asked }) },
    ...(codeChallenge !== undefined && { codeChallenge }),
  };
  const kept = spoilGrant(conduct?.misbehaviour, granted, randomText('other'));
  const { clientId } = client;
  const key = consentKey(session.username, clientId);
  await sandbox.transact((view) => {
    const consented = view.read(consents, key) ?? [];
    const heard = view.read(sessionClients, session.sid) ?? [];
    const { session: sessionSeconds } = lifetimesIn(view);
    view.write(sessionClients, session.sid, [...new Set([clientId, ...heard])].slice(0, maxHeard), {
      expiresAtMs: view.nowMs + sessionSeconds * 1000,
    });
    view.write(consents, key, [...new Set([...consented, ...scopes])]);
    const lifeMs = lifetimesIn(view).code * 1000;
    const record = {
      clientId,
      redirectUri,
      ...(jkt !== undefined && { jkt }),
      ...kept,
      expiresAtMs: view.nowMs + lifeMs,
    };
    view.write(codes, keyOf(code), record, {
      expiresAtMs: view.nowMs + lifeMs + rememberedMs,
    });
  });
}

function grantOf(
  { client, scopes, targets, nonce, claims }: AuthorizationRequest,
  { username, authTimeMs, acr, amr, sid }: Session,
): Grant {
  return {
    clientId: client.clientId,
    sub: username,
    isOfUser: true,
    scopes,
    ...(targets !== undefined && { targets }),
    ...(nonce !== undefined && { nonce }),
    authTimeMs,
    acr,
    amr,
    sid,
    idTokenClaims: Object.keys(claims.idToken),
    userinfoClaims: Object.keys(claims.userinfo),
  };
}
