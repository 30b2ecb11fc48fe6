/** An authorization code, and what the user granted by it (RFC 6749 section 4.1.2). */

import { keyOf, randomText } from '../../../http/credentials/secret-text.js';
import type { Sandbox } from '../../../state/state.js';
import type { Misbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { wrongGrant } from '../misbehaviour/wrong-responses.js';
import { lifetimesIn } from '../settings/issuer-settings.js';
import { codes, type Grant } from '../token/grants.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { consentKey, consents, type Session, sessionClients } from './session.js';

/** For so long a code that is used is known again. */
const rememberedMs = 3600 * 1000;

/** So many clients hear of the end of a session. */
const maxHeard = 20;

interface Behaviour {
  readonly misbehaviour: Misbehaviour | undefined;
  /** The misbehaviour that this login requested, which its tokens have too. */
  readonly requested: Misbehaviour | undefined;
}

/** Returns the code. */
export async function issueCode(
  sandbox: Sandbox,
  wanted: AuthorizationRequest,
  session: Session,
  { misbehaviour, requested }: Behaviour,
): Promise<string> {
  const code = randomText('oac');
  const { redirectUri, codeChallenge, dpopJkt: jkt, scopes } = wanted;
  const { clientId } = wanted.client;
  const right = {
    grant: {
      ...grantOf(wanted, session),
      ...(requested !== undefined && { misbehaviour: requested }),
    },
    ...(codeChallenge !== undefined && { codeChallenge }),
  };
  const granted = wrongGrant(misbehaviour?.name, right, randomText('other'));
  const key = consentKey(session.username, clientId);
  await sandbox.transact((view) => {
    const { nowMs } = view;
    const lifetimes = lifetimesIn(view);
    const heard = view.read(sessionClients, session.sid) ?? [];
    const clients = [...new Set([clientId, ...heard])].slice(0, maxHeard);
    const sessionEndsAtMs = nowMs + lifetimes.session * 1000;
    view.write(sessionClients, session.sid, clients, { expiresAtMs: sessionEndsAtMs });
    view.write(consents, key, [...new Set([...(view.read(consents, key) ?? []), ...scopes])]);
    const expiresAtMs = nowMs + lifetimes.code * 1000;
    const bound = jkt === undefined ? {} : { jkt };
    const record = { clientId, redirectUri, ...bound, ...granted, expiresAtMs };
    view.write(codes, keyOf(code), record, { expiresAtMs: expiresAtMs + rememberedMs });
  });
  return code;
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
