/** The authorization endpoint and its forms: OpenID Connect Core section 3.1.2. */

import type { Reply } from '../../../http/exchange.js';
import type { Form } from '../../../http/oauth/form.js';
import { OAuthError, plain } from '../../../http/oauth/oauth-error.js';
import type { Client } from '../clients/client.js';
import { findClient } from '../clients/find-client.js';
import { type Exchange, formOf, parametersOf } from '../exchange.js';
import {
  type Misbehaviour,
  misbehaviourAt,
  requestedMisbehaviour,
} from '../misbehaviour/choose-misbehaviour.js';
import { noteEvent } from '../misbehaviour/runs.js';
import { wrongResponse } from '../misbehaviour/wrong-responses.js';
import { consentPage } from '../pages/pages.js';
import { strangeForm, withPages } from '../pages/with-pages.js';
import { RejectedRequest } from '../rejected-request.js';
import { subOfHint } from '../token/id-token-hint.js';
import { codeTrier } from '../users/try-code.js';
import {
  type AuthorizationRequest,
  type ResponsePlace,
  readAuthorizationRequest,
  readResponsePlace,
} from './authorization-request.js';
import { Browser } from './browser.js';
import { carriedForm, carriedText } from './carry-request.js';
import { decideStep } from './decide-step.js';
import { issueCode } from './issue-code.js';
import { askLogin, logIn, logInAs, sessionOf, type Visit } from './log-in.js';
import { usePushed } from './pushed-requests.js';
import { resolveRequest, resumeRequest, usedUp } from './resolve-request.js';
import { respondToClient } from './respond-to-client.js';
import { consentKey, consents, type Session } from './session.js';

interface Authorization extends Exchange, Visit {
  readonly reply: Reply;
  /** The parameters of the authorization request. */
  readonly form: Form;
  readonly requested: Misbehaviour | undefined;
  /** The URI that the request was pushed under. */
  readonly pushedAs: string | undefined;
}

/** Continues with a request that was read. It throws {@link RejectedRequest} to tell the client. */
type Continue = (at: Authorization, wanted: AuthorizationRequest) => Promise<Reply>;

export function authorize(exchange: Exchange): Promise<Reply> {
  return withPages(exchange, async () => {
    const form = await parametersOf(exchange);
    const at = await visitOf(exchange, form);
    await noteEvent(at.sandbox, at.requested, 'started');
    return respond(at, resolveRequest, async (resolved, wanted) => {
      const auto = form.get('auto');
      if (auto === undefined) return proceed(resolved, wanted);
      if (auto === 'deny') throw denied();
      return proceed(resolved, wanted, await logInAs(resolved, auto), true);
    });
  });
}

/** The form of the page that asks for a password, or for a code. */
export function submitLogin(exchange: Exchange): Promise<Reply> {
  return withPages(exchange, async () => {
    const sent = await formOf(exchange);
    const at = await visitOf(exchange, carriedForm(sent));
    const carried = sent.get('request') ?? '';
    if (!at.browser.isProof(sent.get('csrf'), at.nowMs, 'login', carried)) throw strangeForm();
    return respond(at, resumeRequest, async (resumed, wanted) => {
      if (sent.has('cancel')) throw new RejectedRequest('access_denied', 'The user cancelled.');
      const session = await logIn(resumed, sent);
      if ('sid' in session) return proceed(resumed, wanted, session);
      return askLogin(resumed, loginForm(resumed, wanted), session);
    });
  });
}

export function submitConsent(exchange: Exchange): Promise<Reply> {
  return withPages(exchange, async () => {
    const sent = await formOf(exchange);
    const at = await visitOf(exchange, carriedForm(sent));
    const { sessionKey = '' } = at.browser;
    const session = await sessionOf(at);
    const about = [sessionKey, sent.get('request') ?? ''];
    const isOurs = at.browser.isProof(sent.get('csrf'), at.nowMs, 'consent', ...about);
    if (session === undefined || !isOurs) throw strangeForm();
    return respond(at, resumeRequest, async (resumed, wanted) => {
      if (sent.get('answer') !== 'allow') throw denied();
      return proceed(resumed, wanted, session, true);
    });
  });
}

async function visitOf(exchange: Exchange, form: Form): Promise<Authorization> {
  const { request, sandbox } = exchange;
  return {
    ...exchange,
    form,
    browser: new Browser(exchange),
    requested: requestedMisbehaviour(request, form),
    pushedAs: form.get('request_uri'),
    tryCode: codeTrier(exchange),
    nowMs: await sandbox.now(),
  };
}

/** Reads the request and continues with it. What is rejected of it is sent to the client. */
async function respond(
  at: Authorization,
  resolve: (at: Authorization, client: Client) => Promise<Form>,
  next: Continue,
): Promise<Reply> {
  const { request, reply, sandbox, issuer, form: sent, pushedAs } = at;
  const client = await clientOf(at);
  let place: ResponsePlace | undefined;
  try {
    const form = await resolve(at, client);
    place = readResponsePlace(form, client);
    const wanted = readAuthorizationRequest(form, client, place, issuer);
    const requested = at.requested ?? requestedMisbehaviour(request, form);
    return await next({ ...at, form, requested }, wanted);
  } catch (error) {
    if (!(error instanceof RejectedRequest)) throw error;
    if (place === undefined && !sent.has('redirect_uri')) throw error;
    // A client that is rejected gets a response.
    if (place !== undefined && pushedAs !== undefined) await usePushed(sandbox, pushedAs);
    place ??= readResponsePlace(sent, client);
    const parameters = { error: error.code, error_description: plain(error.message) };
    return respondToClient(reply, place, issuer.url, parameters);
  }
}

async function clientOf({ sandbox, form }: Authorization): Promise<Client> {
  const clientId = form.get('client_id');
  if (clientId === undefined) {
    throw new OAuthError('invalid_request', 'The parameter client_id is missing.');
  }
  const client = await findClient(sandbox, clientId);
  if (client !== undefined) return client;
  const message = 'There is no client of this client_id. GET /api/auth lists some.';
  throw new OAuthError('invalid_request', message);
}

/** Sends the next page, or a code. */
async function proceed(
  at: Authorization,
  wanted: AuthorizationRequest,
  freshSession?: Session,
  hasConsented = false,
): Promise<Reply> {
  const { browser, sandbox, reply, nowMs } = at;
  const session = freshSession ?? (await sessionOf(at));
  const key = session && consentKey(session.username, wanted.client.clientId);
  const step = decideStep(wanted, {
    session,
    consented: key === undefined ? [] : ((await sandbox.read(consents, key)) ?? []),
    isFresh: freshSession !== undefined,
    hasConsented,
    hintedSub: await hintedSub(at, wanted),
    nowMs,
  });
  switch (step.kind) {
    case 'reject':
      throw new RejectedRequest(step.code, step.message);
    case 'login':
      return askLogin(at, loginForm(at, wanted));
    case 'consent': {
      const request = carriedText(at);
      const csrf = browser.proof(nowMs, 'consent', browser.sessionKey ?? '', request);
      const page = consentPage(wanted, step.session, { request, csrf });
      return page.send(reply, { formTarget: wanted.redirectUri });
    }
    case 'respond':
      return sendCode(at, wanted, step.session);
  }
}

async function sendCode(
  { sandbox, issuer, reply, requested, pushedAs }: Authorization,
  wanted: AuthorizationRequest,
  session: Session,
): Promise<Reply> {
  if (pushedAs !== undefined && !(await usePushed(sandbox, pushedAs))) throw usedUp();
  const misbehaviour = await misbehaviourAt(sandbox, requested);
  const code = await issueCode(sandbox, wanted, session, { misbehaviour, requested });
  const { place, issuer: named, isMet } = wrongResponse(misbehaviour?.name, wanted, issuer.url);
  if (isMet) await noteEvent(sandbox, misbehaviour, 'responded');
  return respondToClient(reply, place, named, { code });
}

function loginForm(
  at: Authorization,
  { client, loginHint = '', redirectUri }: AuthorizationRequest,
) {
  const request = carriedText(at);
  return { client, loginHint, request, purpose: 'login', formTarget: redirectUri } as const;
}

async function hintedSub(
  at: Authorization,
  { idTokenHint, client }: AuthorizationRequest,
): Promise<string | undefined> {
  if (idTokenHint === undefined) return undefined;
  const hint = await subOfHint(at, idTokenHint);
  if (hint?.clientId === client.clientId) return hint.sub;
  throw new RejectedRequest(
    'invalid_request',
    'The id_token_hint is not an ID token that this issuer gave to this client.',
  );
}

function denied(): RejectedRequest {
  return new RejectedRequest('access_denied', 'The user denied it.');
}
