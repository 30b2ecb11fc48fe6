/** The authorization endpoint and its forms: OpenID Connect Core section 3.1.2. */

import { Type } from 'typebox';
import type { Reply } from '#http/exchange.js';
import { type Form, needed, readFormText } from '#http/oauth/form.js';
import { plain, RejectedRequest, rejected } from '#http/oauth/oauth-error.js';
import { anyForm } from '#kit/describe/oauth-schemas.js';
import { secrets, unvalidated } from '#kit/endpoint.js';
import { type Exchange, formOf, parametersOf } from '../exchange.js';
import { type ResponsePlace, respondToClient } from '../messages/respond-to-client.js';
import { optionalTexts, pageOrRedirect, text } from '../messages/schemas.js';
import { misbehaviourAt, requestedMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { appliesTo, changed } from '../misbehaviour/misbehaviours.js';
import { noteEvent } from '../misbehaviour/runs.js';
import type { Client } from '../model/client.js';
import { findClient } from '../model/find-client.js';
import type { Misbehaviour } from '../model/grants.js';
import { offersOf } from '../model/scopes.js';
import { consentKey, consents, type Session } from '../model/session.js';
import { consentPage, pageEndpoint, strangeForm } from '../pages/pages.js';
import { UnknownClient } from '../pages/unregistered.js';
import {
  type AuthorizationRequest,
  readAuthorizationRequest,
  readResponsePlace,
} from './authorization-request.js';
import { decideStep } from './decide-step.js';
import { readIdTokenHint } from './id-token-hint.js';
import { issueCode } from './issue-code.js';
import { askLogin, logIn, logInAs, sessionOf, type Visit, visitOf } from './log-in.js';
import { resolveRequest, resumeRequest, usedUp, usePushed } from './resolve-request.js';

export const authorizeEndpoints = [
  pageEndpoint('GET', 'authorize', {
    ...pageOrRedirect,
    summary: 'Request a login and consent',
    description:
      'For browsers, with GET or a form. auto=ada skips the pages: ada logs in and consents. auto=deny denies.',
    query: unvalidated({
      client_id: text,
      redirect_uri: Type.String({ description: 'A registered URI, exactly as registered.' }),
      response_type: Type.Literal('code'),
      scope: text,
      ...secrets(optionalTexts('state', 'nonce')),
      code_challenge: Type.Optional(
        Type.String({ description: 'Required for public clients (RFC 7636).' }),
      ),
      code_challenge_method: Type.Optional(Type.Literal('S256')),
      ...optionalTexts('dpop_jkt', 'resource', 'audience'),
      ...secrets(optionalTexts('request', 'request_uri')),
      ...optionalTexts('prompt', 'response_mode', 'max_age'),
      ...secrets(optionalTexts('login_hint', 'id_token_hint')),
      ...optionalTexts('acr_values', 'claims', 'auto'),
    }),
    handle: authorize,
  }),
  pageEndpoint('POST', 'authorize', {
    ...pageOrRedirect,
    summary: 'Request a login and consent with a form',
    description: 'The parameters are the same as for GET (OpenID Connect Core section 3.1.2.1).',
    bodies: anyForm.body,
    handle: authorize,
  }),
  pageEndpoint('POST', 'login', { hide: true, handle: submitLogin }),
  pageEndpoint('POST', 'consent', { hide: true, handle: submitConsent }),
];

interface Authorization extends Visit {
  readonly form: Form;
  readonly requested: Misbehaviour | undefined;
  readonly pushedAs: string | undefined;
}

async function authorize(exchange: Exchange): Promise<Reply> {
  const form = await parametersOf(exchange);
  const at = await authorizationOf(exchange, form);
  await noteEvent(at, at.requested, 'started');
  return respond(at, resolveRequest, async (resolved, wanted) => {
    const auto = form.get('auto');
    if (auto === undefined) return proceed(resolved, wanted);
    if (auto === 'deny') throw denied('The user denied the request.');
    return proceed(resolved, wanted, await logInAs(resolved, auto), true);
  });
}

async function submitLogin(exchange: Exchange): Promise<Reply> {
  const sent = await formOf(exchange);
  const { carried, at } = await carriedBy(sent, exchange);
  if (!at.browser.isProof(sent.get('csrf'), at.nowMs, 'login', carried)) throw strangeForm();
  return respond(at, resumeRequest, async (resumed, wanted) => {
    if (sent.has('cancel')) throw denied('The user cancelled.');
    const session = await logIn(resumed, sent);
    if ('sid' in session) return proceed(resumed, wanted, session);
    return askLogin(resumed, loginForm(resumed, wanted), session);
  });
}

async function submitConsent(exchange: Exchange): Promise<Reply> {
  const sent = await formOf(exchange);
  const { carried, at } = await carriedBy(sent, exchange);
  const session = await sessionOf(at);
  const about = [at.browser.sessionKey ?? '', carried];
  const isOurs = at.browser.isProof(sent.get('csrf'), at.nowMs, 'consent', ...about);
  if (session === undefined || !isOurs) throw strangeForm();
  return respond(at, resumeRequest, async (resumed, wanted) => {
    if (sent.get('answer') !== 'allow') throw denied('The user denied the request.');
    return proceed(resumed, wanted, session, true);
  });
}

async function carriedBy(sent: Form, exchange: Exchange) {
  const carried = sent.get('request') ?? '';
  return { carried, at: await authorizationOf(exchange, readFormText(carried)) };
}

/** Serializes the request for a form, with parameters beside a pushed or signed request. The path has the run. */
function carriedText({ form, pushedAs, requested }: Authorization): string {
  const text = new Map(form);
  if (pushedAs !== undefined) text.set('request_uri', pushedAs);
  if (requested !== undefined && requested.run === undefined) text.set('misbehave', requested.name);
  return new URLSearchParams([...text]).toString();
}

async function authorizationOf(exchange: Exchange, form: Form): Promise<Authorization> {
  const requested = requestedMisbehaviour(exchange.request, form);
  return { ...(await visitOf(exchange)), form, requested, pushedAs: form.get('request_uri') };
}

/** Parses and processes the request. Sends errors to the client. */
async function respond(
  at: Authorization,
  resolve: (at: Authorization, client: Client) => Promise<Form>,
  next: (at: Authorization, wanted: AuthorizationRequest) => Promise<Reply>,
): Promise<Reply> {
  const { request, reply, sandbox, issuer, form: sent, pushedAs } = at;
  const clientId = needed(sent, 'client_id');
  const client = await findClient(sandbox, clientId);
  if (client === undefined) throw new UnknownClient(clientId);
  let responseTarget: ResponsePlace | undefined;
  try {
    const form = await resolve(at, client);
    responseTarget = readResponsePlace(form, client, issuer);
    const wanted = readAuthorizationRequest(
      form,
      client,
      responseTarget,
      await offersOf(at, client),
    );
    const requested = at.requested ?? requestedMisbehaviour(request, form);
    return await next({ ...at, form, requested }, wanted);
  } catch (error) {
    if (!(error instanceof RejectedRequest)) throw error;
    if (responseTarget === undefined && !sent.has('redirect_uri')) throw error;
    // A pushed request is used up by errors, too.
    if (responseTarget !== undefined && pushedAs !== undefined) await usePushed(sandbox, pushedAs);
    responseTarget ??= readResponsePlace(sent, client, issuer);
    const parameters = { error: error.code, error_description: plain(error.message) };
    return respondToClient(reply, { ...responseTarget, iss: issuer.url, parameters });
  }
}

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
  if (step.kind === 'login') return askLogin(at, loginForm(at, wanted));
  if (step.kind === 'respond') return sendCode(at, wanted, step.session);
  const request = carriedText(at);
  const csrf = browser.proof(nowMs, 'consent', browser.sessionKey ?? '', request);
  const page = consentPage(wanted, step.session, { request, csrf });
  return page.send(reply, { formTarget: wanted.redirectUri });
}

async function sendCode(at: Authorization, wanted: AuthorizationRequest, session: Session) {
  const { sandbox, issuer, reply, requested, pushedAs } = at;
  if (pushedAs !== undefined && !(await usePushed(sandbox, pushedAs))) throw usedUp();
  const misbehaviour = await misbehaviourAt(sandbox, requested);
  const code = await issueCode(sandbox, wanted, session, misbehaviour, requested);
  const response = { ...wanted, iss: issuer.url, parameters: { code } };
  if (!appliesTo(misbehaviour, wanted)) return respondToClient(reply, response);
  await noteEvent(at, misbehaviour, 'responded');
  return respondToClient(reply, await changed(misbehaviour, 'response', response));
}

function loginForm(at: Authorization, wanted: AuthorizationRequest) {
  const { client, loginHint, redirectUri: formTarget } = wanted;
  return { client, loginHint, request: carriedText(at), purpose: 'login', formTarget } as const;
}

async function hintedSub(at: Authorization, { idTokenHint, client }: AuthorizationRequest) {
  if (idTokenHint === undefined) return undefined;
  const hint = await readIdTokenHint(at, idTokenHint);
  if (hint?.clientId === client.clientId) return hint.sub;
  throw rejected('The id_token_hint is not an ID token of this issuer for this client.');
}

function denied(message: string): RejectedRequest {
  return rejected(message, 'access_denied');
}
