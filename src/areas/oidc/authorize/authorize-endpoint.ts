/** The authorization endpoint and its forms: OpenID Connect Core section 3.1.2. */

import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import type { Form } from '../../../http/credentials/oauth-form.js';
import type { Reply, Request } from '../../../http/exchange.js';
import type { Services } from '../../../kit/area.js';
import type { Sandbox } from '../../../state/state.js';
import { findClient } from '../clients/find-client.js';
import { type Issuer, issuerOf } from '../issuer.js';
import type { IssuerKeys } from '../keys/issuer-keys.js';
import { askedConduct, type Conduct, conductOf } from '../misbehaviour/conduct.js';
import { noteEvent } from '../misbehaviour/runs.js';
import { spoilResponse } from '../misbehaviour/spoil-response.js';
import { oauthError, plain } from '../oauth-error.js';
import { codePage, consentPage, loginPage } from '../pages/pages.js';
import { strangeForm, withPages } from '../pages/with-pages.js';
import { randomText } from '../random-text.js';
import { formParameters, queryParameters } from '../read-parameters.js';
import { targetFault } from '../resource/targets.js';
import { subOfHint } from '../token/id-token-hint.js';
import { findUser, usersOf } from '../users/find-user.js';
import type { User } from '../users/ready-users.js';
import { codeTrier } from '../users/try-code.js';
import {
  type AuthorizationRequest,
  RejectedRequest,
  type ResponsePlace,
  readAuthorizationRequest,
  readResponsePlace,
  UntrustedRequest,
} from './authorization-request.js';
import { beginSession } from './begin-session.js';
import { Browser } from './browser.js';
import { carriedForm, carriedText } from './carry-request.js';
import { checkLogin } from './check-login.js';
import { decideStep } from './decide-step.js';
import { issueCode } from './issue-code.js';
import { usePushed } from './pushed-requests.js';
import { resolveRequest, resumeRequest, usedUp } from './resolve-request.js';
import { respondToClient } from './respond-to-client.js';
import { consentKey, consents, type Session, sessions } from './session.js';

interface Exchange {
  readonly request: Request;
  readonly reply: Reply;
  readonly sandbox: Sandbox;
  readonly issuer: Issuer;
  readonly browser: Browser;
  /** The parameters of the authorization request. */
  readonly form: Form;
  /** How the issuer should behave. */
  readonly asked: Conduct | undefined;
  /** The address that the request was pushed under. */
  readonly pushedAs: string | undefined;
}

/** What happened in this very exchange. */
interface Done {
  readonly freshSession?: Session;
  readonly hasConsented?: boolean;
}

export class AuthorizeEndpoint {
  readonly #services: Services;
  readonly #keys: IssuerKeys;
  readonly #mac: KeyedMac;

  constructor(services: Services, keys: IssuerKeys, mac: KeyedMac) {
    this.#services = services;
    this.#keys = keys;
    this.#mac = mac;
  }

  async authorize(request: Request, reply: Reply): Promise<Reply> {
    return this.#withPages(request, reply, async () => {
      const form =
        request.method === 'POST' ? await formParameters(request) : queryParameters(request);
      const begun = this.#exchange(request, reply, form);
      await noteEvent(begun.sandbox, begun.asked, 'started');
      return this.#answer(begun, true, async (wanted, exchange) => {
        const auto = form.get('auto');
        if (auto === undefined) return this.#goOn(exchange, wanted, {});
        if (auto === 'deny') throw new RejectedRequest('access_denied', 'The user denied it.');
        const user = await findUser(exchange.sandbox, auto);
        if (user === undefined) {
          const users = await usersOf(exchange.sandbox);
          const names = users.map(({ username }) => username).join(', ');
          throw new RejectedRequest('invalid_request', `auto must be one of ${names}, deny.`);
        }
        const isMfa = user.totpSecret !== undefined;
        const freshSession = await beginSession(exchange.sandbox, exchange.browser, user, isMfa);
        return this.#goOn(exchange, wanted, { freshSession, hasConsented: true });
      });
    });
  }

  /** The form of the page that asks for a password, or for a code. */
  async login(request: Request, reply: Reply): Promise<Reply> {
    return this.#withPages(request, reply, async () => {
      const sent = await formParameters(request);
      const exchange = this.#exchange(request, reply, carriedForm(sent));
      const { browser, sandbox } = exchange;
      const nowMs = await sandbox.now();
      const text = sent.get('request') ?? '';
      if (!browser.isProof(sent.get('csrf'), nowMs, 'login', text)) throw strangeForm();
      return this.#answer(exchange, false, async (wanted) => {
        if (sent.has('cancel')) throw new RejectedRequest('access_denied', 'The user cancelled.');
        const checked = await checkLogin(
          sandbox,
          browser,
          sent,
          nowMs,
          codeTrier(this.#services, request),
        );
        if ('user' in checked) {
          const { user, isMfa } = checked;
          const freshSession = await beginSession(sandbox, browser, user, isMfa);
          return this.#goOn(exchange, wanted, { freshSession });
        }
        return this.#askAgain(exchange, wanted, checked, nowMs);
      });
    });
  }

  async consent(request: Request, reply: Reply): Promise<Reply> {
    return this.#withPages(request, reply, async () => {
      const sent = await formParameters(request);
      const exchange = this.#exchange(request, reply, carriedForm(sent));
      const { browser, sandbox } = exchange;
      const nowMs = await sandbox.now();
      const { sessionKey = '' } = browser;
      const session = await sandbox.read(sessions, sessionKey);
      const about = [sessionKey, sent.get('request') ?? ''];
      if (session === undefined || !browser.isProof(sent.get('csrf'), nowMs, 'consent', ...about)) {
        throw strangeForm();
      }
      return this.#answer(exchange, false, async (wanted) => {
        if (sent.get('answer') !== 'allow') {
          throw new RejectedRequest('access_denied', 'The user denied it.');
        }
        return this.#goOn(exchange, wanted, { freshSession: session, hasConsented: true });
      });
    });
  }

  /** The next page, or a code. */
  async #goOn(
    exchange: Exchange,
    wanted: AuthorizationRequest,
    { freshSession, hasConsented = false }: Done,
  ): Promise<Reply> {
    const { browser, sandbox, issuer, reply } = exchange;
    const session = freshSession ?? (await this.#sessionOf(browser, sandbox));
    const key = session && consentKey(session.username, wanted.client.clientId);
    const consented = key === undefined ? [] : ((await sandbox.read(consents, key)) ?? []);
    const nowMs = await sandbox.now();
    const step = decideStep(wanted, {
      session,
      consented,
      isFresh: freshSession !== undefined,
      hasConsented,
      hintedSub: await this.#hintedSub(wanted, sandbox, issuer),
      nowMs,
    });
    const text = carriedText(exchange);
    if (step.kind === 'refuse') throw new RejectedRequest(step.code, step.message);
    if (step.kind === 'login') {
      const csrf = browser.proof(nowMs, 'login', text);
      const page = loginPage(wanted, await usersOf(sandbox), { request: text, csrf });
      return page.send(reply, pageOptions(wanted));
    }
    if (step.kind === 'consent') {
      const csrf = browser.proof(nowMs, 'consent', browser.sessionKey ?? '', text);
      const parts = { request: text, csrf };
      return consentPage(wanted, step.session, parts).send(reply, pageOptions(wanted));
    }
    return this.#sendCode(exchange, wanted, step.session);
  }

  async #sendCode(
    { sandbox, issuer, reply, asked, pushedAs }: Exchange,
    wanted: AuthorizationRequest,
    session: Session,
  ): Promise<Reply> {
    if (pushedAs !== undefined && !(await usePushed(sandbox, pushedAs))) throw usedUp();
    const code = randomText('oac');
    const conduct = await conductOf(sandbox, asked);
    await issueCode(sandbox, wanted, session, code, { conduct, asked });
    const {
      place,
      issuer: named,
      isMet,
    } = spoilResponse(conduct?.misbehaviour, wanted, issuer.url);
    if (isMet) await noteEvent(sandbox, conduct, 'answered');
    return respondToClient(reply, place, named, { code });
  }

  async #askAgain(
    exchange: Exchange,
    wanted: AuthorizationRequest,
    asked: { readonly fault?: string; readonly needsCodeOf?: User },
    nowMs: number,
  ): Promise<Reply> {
    const { browser, reply, sandbox } = exchange;
    const request = carriedText(exchange);
    const parts = { request, csrf: browser.proof(nowMs, 'login', request), fault: asked.fault };
    const { needsCodeOf } = asked;
    if (needsCodeOf?.totpSecret === undefined) {
      const page = loginPage(wanted, await usersOf(sandbox), parts);
      return page.send(reply, pageOptions(wanted));
    }
    const { username } = needsCodeOf;
    const proof = browser.proof(nowMs, 'code', username);
    return codePage(needsCodeOf, proof, parts).send(reply, pageOptions(wanted));
  }

  async #sessionOf({ sessionKey }: Browser, sandbox: Sandbox): Promise<Session | undefined> {
    return sessionKey === undefined ? undefined : sandbox.read(sessions, sessionKey);
  }

  async #hintedSub(
    { idTokenHint, client }: AuthorizationRequest,
    sandbox: Sandbox,
    issuer: Issuer,
  ): Promise<string | undefined> {
    if (idTokenHint === undefined) return undefined;
    const hint = await subOfHint({ keys: this.#keys, sandbox, issuer }, idTokenHint);
    if (hint?.clientId === client.clientId) return hint.sub;
    throw new RejectedRequest(
      'invalid_request',
      'The id_token_hint is not an ID token that this issuer gave to this client.',
    );
  }

  #exchange(request: Request, reply: Reply, form: Form): Exchange {
    const sandbox = this.#services.sandboxOf(request);
    const issuer = issuerOf(this.#services, request);
    const browser = new Browser(request, reply, { issuer, mac: this.#mac, sandbox });
    const asked = askedConduct(request, form);
    const pushedAs = form.get('request_uri');
    return { request, reply, sandbox, issuer, browser, form, asked, pushedAs };
  }

  /** Reads the request and sends what `take` rejects of it to the client. */
  async #answer(
    exchange: Exchange,
    isFirst: boolean,
    take: (wanted: AuthorizationRequest, exchange: Exchange) => Promise<Reply>,
  ): Promise<Reply> {
    const { request, reply, sandbox, issuer, form: sent, pushedAs } = exchange;
    const clientId = sent.get('client_id');
    if (clientId === undefined) throw new UntrustedRequest('The parameter client_id is missing.');
    const client = await findClient(sandbox, clientId);
    if (client === undefined) {
      throw new UntrustedRequest('There is no client of this client_id. GET /api/auth lists some.');
    }
    let place: ResponsePlace | undefined;
    try {
      const form = isFirst
        ? await resolveRequest(sent, client, sandbox, issuer)
        : await resumeRequest(sent, sandbox, pushedAs);
      place = readResponsePlace(form, client);
      const fault = targetFault(form, issuer);
      if (fault !== undefined) throw new RejectedRequest('invalid_target', fault);
      const wanted = readAuthorizationRequest(form, client, place);
      const asked = exchange.asked ?? askedConduct(request, form);
      return await take(wanted, { ...exchange, form, asked });
    } catch (error) {
      if (!(error instanceof RejectedRequest)) throw error;
      const { code: name, message } = error;
      if (place === undefined && !sent.has('redirect_uri')) {
        throw new UntrustedRequest(message, name);
      }
      // A client that is rejected gets a response.
      if (place !== undefined && pushedAs !== undefined) await usePushed(sandbox, pushedAs);
      place ??= readResponsePlace(sent, client);
      const parameters = { error: name, error_description: plain(message) };
      return respondToClient(reply, place, issuer.url, parameters);
    }
  }

  /** Errors that cannot go to the client are shown to the user as a page, or to programs as an error. */
  async #withPages(request: Request, reply: Reply, response: () => Promise<Reply>): Promise<Reply> {
    return withPages(request, reply, async () => {
      try {
        return await response();
      } catch (error) {
        throw error instanceof UntrustedRequest ? oauthError(error.code, error.message) : error;
      }
    });
  }
}

function pageOptions({ redirectUri }: AuthorizationRequest) {
  return { formTarget: redirectUri };
}
