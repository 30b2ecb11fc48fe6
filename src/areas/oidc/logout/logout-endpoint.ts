/** Logout that a client asks for: OpenID Connect RP-Initiated Logout. */

import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import type { Form } from '../../../http/credentials/oauth-form.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import { prefersPage } from '../../../http/prefers-page.js';
import type { Services } from '../../../kit/area.js';
import { Browser } from '../authorize/browser.js';
import { withParameters } from '../authorize/respond-to-client.js';
import { type Session, sessionClients, sessions } from '../authorize/session.js';
import { findClient } from '../clients/find-client.js';
import { isRegistered } from '../clients/match-redirect.js';
import { issuerOf } from '../issuer.js';
import type { IssuerKeys } from '../keys/issuer-keys.js';
import { oauthError } from '../oauth-error.js';
import { loggedOutPage, logoutPage, messagePage } from '../pages/pages.js';
import { formParameters, queryParameters } from '../read-parameters.js';
import { type Hint, subOfHint } from '../token/id-token-hint.js';
import type { Signing } from '../token/sign-tokens.js';

const kept = ['post_logout_redirect_uri', 'state', 'client_id', 'id_token_hint'] as const;

export class LogoutEndpoint {
  readonly #services: Services;
  readonly #keys: IssuerKeys;
  readonly #mac: KeyedMac;

  constructor(services: Services, keys: IssuerKeys, mac: KeyedMac) {
    this.#services = services;
    this.#keys = keys;
    this.#mac = mac;
  }

  async logout(request: Request, reply: Reply): Promise<Reply> {
    try {
      return await this.#logout(request, reply);
    } catch (error) {
      if (!(error instanceof HttpError) || !prefersPage(request.headers.accept)) throw error;
      return messagePage('This request is rejected', error.message).send(reply, {
        status: error.status,
      });
    }
  }

  async #logout(request: Request, reply: Reply): Promise<Reply> {
    const isPosted = request.method === 'POST';
    const form = isPosted ? await formParameters(request) : queryParameters(request);
    const sandbox = this.#services.sandboxOf(request);
    const issuer = issuerOf(this.#services, request);
    const signing = { keys: this.#keys, sandbox, issuer };
    const hint = await readHint(signing, form);
    const target = await readTarget(signing, form, hint);
    const browser = new Browser(request, reply, { issuer, mac: this.#mac, sandbox });
    const { sessionKey = '' } = browser;
    const session = await sandbox.read(sessions, sessionKey);
    if (session !== undefined) {
      const nowMs = await sandbox.now();
      // A client with the ID token of this session may end it; otherwise the user must confirm.
      const isSure =
        hint?.sid === session.sid ||
        browser.isProof(form.get('csrf'), nowMs, 'logout', sessionKey, target ?? '');
      if (!isSure) {
        const given = kept.flatMap((name) => {
          const value = form.get(name);
          return value === undefined ? [] : [[name, value] as const];
        });
        const csrf = browser.proof(nowMs, 'logout', sessionKey, target ?? '');
        const fields = { ...Object.fromEntries(given), csrf };
        const options = target === undefined ? {} : { formTarget: target };
        return logoutPage(session.username, fields).send(reply, options);
      }
      await sandbox.update(sessions, sessionKey, () => ({ value: undefined, result: undefined }));
      const frames = await framesOf(session, signing);
      if (frames.length > 0) {
        browser.endSession();
        return loggedOutPage(frames, target).send(reply, { frames });
      }
    }
    browser.endSession();
    if (target !== undefined) return reply.code(303).header('location', target).send();
    return messagePage('You are logged out', 'This browser has no session here any more.').send(
      reply,
    );
  }
}

async function readHint(signing: Signing, form: Form): Promise<Hint | undefined> {
  const text = form.get('id_token_hint');
  if (text === undefined) return undefined;
  const hint = await subOfHint(signing, text);
  if (hint === undefined) {
    throw oauthError('invalid_request', 'The id_token_hint is not an ID token of this issuer.');
  }
  const clientId = form.get('client_id');
  if (clientId !== undefined && clientId !== hint.clientId) {
    throw oauthError('invalid_request', 'The client_id is not the audience of the id_token_hint.');
  }
  return hint;
}

/** Where to go afterwards, with the state; only where the client has registered it. */
async function readTarget(
  { sandbox }: Signing,
  form: Form,
  hint: Hint | undefined,
): Promise<string | undefined> {
  const uri = form.get('post_logout_redirect_uri');
  if (uri === undefined) return undefined;
  const clientId = hint?.clientId ?? form.get('client_id');
  if (clientId === undefined) {
    const message = 'With a post_logout_redirect_uri, send id_token_hint or client_id.';
    throw oauthError('invalid_request', message);
  }
  const client = await findClient(sandbox, clientId);
  if (client === undefined || !isRegistered(uri, client.postLogoutRedirectUris)) {
    const message = 'The post_logout_redirect_uri is not one that the client registered.';
    throw oauthError('invalid_request', message);
  }
  const state = form.get('state');
  return state === undefined ? uri : withParameters(uri, '?', { state });
}

/** Where the clients of a session hear of its end: Front-Channel Logout section 2. */
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
