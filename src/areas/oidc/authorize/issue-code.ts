/** Issues an authorization code, and stores what the user granted (RFC 6749 section 4.1.2). */

import { keyOf, randomText } from '#http/credentials/secret-text.js';
import type { Sandbox } from '#state/state.js';
import { changed } from '../misbehaviour/misbehaviours.js';
import { codes, type Grant, type Misbehaviour, userGrant } from '../model/grants.js';
import { lifetimesIn } from '../model/issuer-settings.js';
import { addConsent, type Session, sessionClients } from '../model/session.js';
import type { AuthorizationRequest } from './authorization-request.js';

/** How long a used code is remembered. */
const rememberedMs = 3600 * 1000;

/** Limit of clients that are notified of the end of a session. */
const maxInformed = 20;

/** `requested` is the misbehaviour of this login, which also applies to its tokens. */
export async function issueCode(
  sandbox: Sandbox,
  wanted: AuthorizationRequest,
  session: Session,
  misbehaviour: Misbehaviour | undefined,
  requested: Misbehaviour | undefined,
): Promise<string> {
  const code = randomText('oac');
  const { redirectUri, codeChallenge, dpopJkt: jkt, scopes, claims } = wanted;
  const { clientId } = wanted.client;
  const grant: Grant = {
    ...userGrant({ ...wanted, clientId }, session),
    nonce: wanted.nonce,
    idTokenClaims: Object.keys(claims.idToken),
    userinfoClaims: Object.keys(claims.userinfo),
    misbehaviour: requested,
  };
  const granted = await changed(misbehaviour, 'code', { grant, codeChallenge });
  await sandbox.transact((view) => {
    const { nowMs } = view;
    const lifetimes = lifetimesIn(view);
    const informed = view.read(sessionClients, session.sid) ?? [];
    const clients = [...new Set([clientId, ...informed])].slice(0, maxInformed);
    const sessionEndsAtMs = nowMs + lifetimes.session * 1000;
    view.write(sessionClients, session.sid, clients, { expiresAtMs: sessionEndsAtMs });
    addConsent(view, session.username, clientId, scopes);
    const expiresAtMs = nowMs + lifetimes.code * 1000;
    const record = { clientId, redirectUri, jkt, ...granted, expiresAtMs };
    view.write(codes, keyOf(code), record, { expiresAtMs: expiresAtMs + rememberedMs });
  });
  return code;
}
