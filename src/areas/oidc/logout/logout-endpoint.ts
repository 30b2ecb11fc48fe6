/** Logout that a client requests: OpenID Connect RP-Initiated Logout. */

import type { Reply } from '../../../http/exchange.js';
import type { Form } from '../../../http/oauth/form.js';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import { Browser } from '../authorize/browser.js';
import { sessionOf } from '../authorize/log-in.js';
import { withParameters } from '../authorize/respond-to-client.js';
import { type Session, sessionClients, sessions } from '../authorize/session.js';
import { findClient } from '../clients/find-client.js';
import { isRegistered } from '../clients/match-redirect.js';
import { type Exchange, parametersOf, type Signing } from '../exchange.js';
import { loggedOutPage, logoutPage, messagePage } from '../pages/pages.js';
import { withPages } from '../pages/with-pages.js';
import { type Hint, subOfHint } from '../token/id-token-hint.js';

const kept = ['post_logout_redirect_uri', 'state', 'client_id', 'id_token_hint'] as const;

export function logOut(at: Exchange): Promise<Reply> {
  return withPages(at, async () => {
    const { reply, sandbox } = at;
    const form = await parametersOf(at);
    const hint = await readHint(at, form);
    const target = await readTarget(at, form, hint);
    const browser = new Browser(at);
    const session = await sessionOf({ browser, sandbox });
    if (session !== undefined) {
      const { sessionKey = '' } = browser;
      const nowMs = await sandbox.now();
      const about = [sessionKey, target ?? ''];
      // A client with the ID token of this session may end it; otherwise the user must confirm.
      const isSure =
        hint?.sid === session.sid || browser.isProof(form.get('csrf'), nowMs, 'logout', ...about);
      if (!isSure) {
        const fields = kept.flatMap((name) => (form.has(name) ? [[name, form.get(name)]] : []));
        const csrf = browser.proof(nowMs, 'logout', ...about);
        const page = logoutPage(session.username, { ...Object.fromEntries(fields), csrf });
        return page.send(reply, target === undefined ? {} : { formTarget: target });
      }
      await sandbox.update(sessions, sessionKey, () => ({ value: undefined, result: undefined }));
      const frames = await framesOf(session, at);
      if (frames.length > 0) {
        browser.endSession();
        return loggedOutPage(frames, target).send(reply, { frames });
      }
    }
    browser.endSession();
    if (target !== undefined) return reply.code(303).header('location', target).send();
    const message = 'This browser has no session here any more.';
    return messagePage('You are logged out', message).send(reply);
  });
}

async function readHint(signing: Signing, form: Form): Promise<Hint | undefined> {
  const text = form.get('id_token_hint');
  if (text === undefined) return undefined;
  const hint = await subOfHint(signing, text);
  if (hint === undefined) throw invalid('The id_token_hint is not an ID token of this issuer.');
  const clientId = form.get('client_id') ?? hint.clientId;
  if (clientId === hint.clientId) return hint;
  throw invalid('The client_id is not the audience of the id_token_hint.');
}

/** Returns where to go afterwards, with the state: only where the client has registered it. */
async function readTarget(
  { sandbox }: Signing,
  form: Form,
  hint: Hint | undefined,
): Promise<string | undefined> {
  const uri = form.get('post_logout_redirect_uri');
  if (uri === undefined) return undefined;
  const clientId = hint?.clientId ?? form.get('client_id');
  if (clientId === undefined) {
    throw invalid('With a post_logout_redirect_uri, send id_token_hint or client_id.');
  }
  const client = await findClient(sandbox, clientId);
  if (client === undefined || !isRegistered(uri, client.postLogoutRedirectUris)) {
    throw invalid('The post_logout_redirect_uri is not one that the client registered.');
  }
  const state = form.get('state');
  return state === undefined ? uri : withParameters(uri, '?', { state });
}

/** Returns where the clients of a session hear of its end: Front-Channel Logout section 2. */
async function framesOf(
  { sid }: Session,
  { sandbox, issuer }: Signing,
): Promise<readonly string[]> {
  const clientIds = (await sandbox.read(sessionClients, sid)) ?? [];
  const clients = await Promise.all(clientIds.map((clientId) => findClient(sandbox, clientId)));
  return clients.flatMap((client) => {
    if (client?.frontChannelLogout === undefined) return [];
    const { uri, needsSession } = client.frontChannelLogout;
    return needsSession ? withParameters(uri, '?', { iss: issuer.url, sid }) : uri;
  });
}

function invalid(message: string): OAuthError {
  return new OAuthError('invalid_request', message);
}
