/** Logout requested by a client: OpenID Connect RP-Initiated Logout. */

import type { Reply } from '#http/exchange.js';
import type { Form } from '#http/oauth/form.js';
import { invalidRequest } from '#http/oauth/oauth-error.js';
import { anyForm } from '#kit/describe/oauth-schemas.js';
import { secrets, unvalidated } from '#kit/endpoint.js';
import { publishEvent } from '#state/events/publish-event.js';
import { type Hint, readIdTokenHint } from '../authorize/id-token-hint.js';
import { sessionOf, visitOf } from '../authorize/log-in.js';
import { type Exchange, parametersOf } from '../exchange.js';
import { withParameters } from '../messages/respond-to-client.js';
import { optionalTexts, pageOrRedirect } from '../messages/schemas.js';
import { findClient } from '../model/find-client.js';
import { issuerEvent } from '../model/issuer-events.js';
import type { Signing } from '../model/issuer-keys.js';
import { isOwnPage, isRegistered } from '../model/match-redirect.js';
import { type Session, sessionClients, sessions } from '../model/session.js';
import { loggedOutPage, logoutPage, messagePage, pageEndpoint } from '../pages/pages.js';
import { UnregisteredAddress } from '../pages/unregistered.js';

export const logoutEndpoints = [
  pageEndpoint('GET', 'logout', {
    ...pageOrRedirect,
    summary: 'End the session of a browser',
    description:
      "OpenID Connect RP-Initiated Logout. Without the session's ID token, the user must confirm.",
    query: unvalidated({
      ...optionalTexts('id_token_hint', 'client_id', 'post_logout_redirect_uri'),
      ...secrets(optionalTexts('state')),
    }),
    handle: logOut,
  }),
  pageEndpoint('POST', 'logout', {
    ...pageOrRedirect,
    summary: 'End the session of a browser with a form',
    description: 'The parameters are the same as for GET.',
    bodies: anyForm.body,
    handle: logOut,
  }),
];

const carried = ['post_logout_redirect_uri', 'state', 'client_id', 'id_token_hint'];

async function logOut(at: Exchange): Promise<Reply> {
  const { reply, sandbox } = at;
  const form = await parametersOf(at);
  const hint = await readHint(at, form);
  const target = await readTarget(at, form, hint);
  const visit = await visitOf(at);
  const { browser, nowMs } = visit;
  const session = await sessionOf(visit);
  if (session !== undefined) {
    const { sessionKey = '' } = browser;
    const about = [sessionKey, target ?? ''];
    // A client with the session's ID token may end it; otherwise the user must confirm.
    const isSure =
      hint?.sid === session.sid || browser.isProof(form.get('csrf'), nowMs, 'logout', ...about);
    if (!isSure) {
      const fields = carried.filter((name) => form.has(name)).map((name) => [name, form.get(name)]);
      const csrf = browser.proof(nowMs, 'logout', ...about);
      const page = logoutPage(session.username, { ...Object.fromEntries(fields), csrf });
      return page.send(reply, { formTarget: target });
    }
    const { username, sid } = session;
    await sandbox.transact((view) => {
      view.write(sessions, sessionKey, undefined);
      publishEvent(view, issuerEvent('session.ended', username, { sid }));
    });
    const frames = await framesOf(session, at);
    if (frames.length > 0) {
      browser.endSession();
      return loggedOutPage(frames, target).send(reply, { frames });
    }
  }
  browser.endSession();
  if (target !== undefined) return reply.redirect(target, 303);
  const message = 'This browser has no session here any more.';
  return messagePage('You are logged out', message).send(reply);
}

async function readHint(signing: Signing, form: Form): Promise<Hint | undefined> {
  const text = form.get('id_token_hint');
  if (text === undefined) return undefined;
  const hint = await readIdTokenHint(signing, text);
  if (hint === undefined)
    throw invalidRequest('The id_token_hint is not an ID token of this issuer.');
  const clientId = form.get('client_id') ?? hint.clientId;
  if (clientId === hint.clientId) return hint;
  throw invalidRequest('The client_id is not the audience of the id_token_hint.');
}

/** Returns the redirect target with the state, if the client has registered it. */
async function readTarget(
  { sandbox, issuer }: Signing,
  form: Form,
  hint: Hint | undefined,
): Promise<string | undefined> {
  const uri = form.get('post_logout_redirect_uri');
  if (uri === undefined) return undefined;
  const clientId = hint?.clientId ?? form.get('client_id');
  if (clientId === undefined) {
    throw invalidRequest('With a post_logout_redirect_uri, send id_token_hint or client_id.');
  }
  const client = await findClient(sandbox, clientId);
  const message = 'The post_logout_redirect_uri is not registered for the client.';
  if (client === undefined) throw invalidRequest(message);
  const isKnown = isRegistered(uri, client.postLogoutRedirectUris);
  if (!isKnown && !isOwnPage(uri, client, issuer)) {
    throw new UnregisteredAddress(message, 'post_logout_redirect_uris', uri, client);
  }
  const state = form.get('state');
  return state === undefined ? uri : withParameters(uri, '?', { state });
}

/** Returns the URLs that notify the clients of a session: Front-Channel Logout section 2. */
async function framesOf({ sid }: Session, { sandbox, issuer }: Signing) {
  const clientIds = (await sandbox.read(sessionClients, sid)) ?? [];
  const clients = await Promise.all(clientIds.map((clientId) => findClient(sandbox, clientId)));
  return clients.flatMap((client) => {
    if (client?.frontChannelLogout === undefined) return [];
    const { uri, needsSession } = client.frontChannelLogout;
    return needsSession ? withParameters(uri, '?', { iss: issuer.url, sid }) : uri;
  });
}
