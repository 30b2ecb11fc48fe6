/** The requests of a login with a cookie. Programs get JSON, forms of browsers get pages. */

import type { Awaitable } from '../../base/awaitable.js';
import { basePathOf } from '../../http/address/sandbox-address.js';
import { isJsonType, mediaType } from '../../http/body/request-body.js';
import { addVary } from '../../http/caching/caching.js';
import { unauthorized } from '../../http/credentials/challenge.js';
import type { KeyedMac } from '../../http/credentials/keyed-mac.js';
import type { PracticeUser } from '../../http/credentials/practice-users.js';
import { realm } from '../../http/credentials/realm.js';
import type { Reply, Request } from '../../http/exchange.js';
import { singleHeader } from '../../http/headers/header-values.js';
import { HttpError } from '../../http/http-error.js';
import { prefersPage } from '../../http/negotiation/read-preferences.js';
import type { Services } from '../../kit/area.js';
import type { Sandbox } from '../../state/state.js';
import { maxWrong, type Verdict } from './count-attempt.js';
import { describeHalf, describeSession } from './describe-session.js';
import { formType } from './form-body.js';
import * as rules from './log-in.js';
import { codePage, loginPage, sessionPage } from './pages.js';
import { lifetimes, type Session } from './session.js';
import { Visitor } from './visitor.js';

/** What a form has beside its own fields. */
interface Guarded {
  readonly csrf?: string;
}

interface Exchange {
  readonly request: Request;
  readonly reply: Reply;
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
  readonly visitor: Visitor;
}

type GuessCode = (sandbox: Sandbox, user: PracticeUser, code: string) => Awaitable<Verdict>;

const challenge = `Cookie realm="${realm}"`;

export class SessionEndpoint {
  readonly #services: Services;
  readonly #mac: KeyedMac;

  constructor(services: Services, mac: KeyedMac) {
    this.#services = services;
    this.#mac = mac;
  }

  async show(request: Request, reply: Reply) {
    addVary(reply, 'Accept, Cookie');
    const exchange = this.#exchange(request, reply);
    const session = await sessionOf(exchange);
    if (prefersPage(request.headers.accept)) return sendPage(exchange, session);
    return describe(exchange, session);
  }

  async logIn(
    request: Request,
    reply: Reply,
    body: Guarded & { username: string; password: string; remember?: boolean },
  ) {
    const exchange = this.#exchange(request, reply);
    return withPages(exchange, async () => {
      await checkOrigin(exchange, body);
      const { sandbox } = exchange;
      const { username, password, remember = false } = body;
      const verdict = await rules.guessPassword(sandbox, username, password);
      checkVerdict(verdict, 'The user name or the password is wrong.');
      const needsCode = rules.findUser(username)?.totpSecret !== undefined;
      const begun = { username, amr: ['pwd'], isRemembered: remember };
      return begin(exchange, needsCode ? { ...begun, isHalf: true } : begun);
    });
  }

  async sendCode(request: Request, reply: Reply, body: Guarded & { code: string }) {
    return this.#secondStep(request, reply, body, rules.guessCode, 'otp');
  }

  async sendRecoveryCode(request: Request, reply: Reply, body: Guarded & { code: string }) {
    return this.#secondStep(request, reply, body, rules.guessRecoveryCode, 'rec');
  }

  async me(request: Request, reply: Reply) {
    const exchange = this.#exchange(request, reply);
    const session = await sessionOf(exchange);
    if (session === undefined) throw noSession();
    if (session.isHalf)
      throw unauthorized('The code is missing: POST totp or recovery.', challenge);
    return describeSession(session, await exchange.sandbox.now());
  }

  async giveToken(request: Request, reply: Reply) {
    const { visitor, sandbox } = this.#exchange(request, reply);
    return { csrfToken: visitor.formToken(await sandbox.now()) };
  }

  async logOut(request: Request, reply: Reply, body: Guarded) {
    const exchange = this.#exchange(request, reply);
    return withPages(exchange, async () => {
      await checkOrigin(exchange, body);
      const { visitor, sandbox } = exchange;
      if (visitor.sessionKey !== undefined) await rules.endSession(sandbox, visitor.sessionKey);
      return leave(exchange);
    });
  }

  async logOutEverywhere(request: Request, reply: Reply, body: Guarded) {
    const exchange = this.#exchange(request, reply);
    return withPages(exchange, async () => {
      await checkOrigin(exchange, body);
      const { visitor, sandbox } = exchange;
      const hasEnded = await rules.endEverywhere(sandbox, visitor.sessionKey ?? '');
      if (!hasEnded) throw noSession();
      return leave(exchange);
    });
  }

  async #secondStep(
    request: Request,
    reply: Reply,
    body: Guarded & { code: string },
    guess: GuessCode,
    method: string,
  ) {
    const exchange = this.#exchange(request, reply);
    return withPages(exchange, async () => {
      await checkOrigin(exchange, body);
      const half = await sessionOf(exchange);
      const user = half?.isHalf && rules.findUser(half.username);
      if (!half || !user) {
        throw unauthorized(
          `No login waits for a code. POST login first; a code follows within ${lifetimes.step / 60_000} minutes.`,
          challenge,
        );
      }
      const verdict = await this.#services.wrongCodes.try(
        request,
        ['session', exchange.sandbox.name, user.username],
        () => guess(exchange.sandbox, user, body.code),
        ({ kind }) => kind === 'wrong',
      );
      checkVerdict(verdict, 'The code is wrong, or was used before.');
      const { username, amr, isRemembered } = half;
      return begin(exchange, { username, amr: [...amr, method, 'mfa'], isRemembered });
    });
  }

  #exchange(request: Request, reply: Reply): Exchange {
    const sandbox = this.#services.sandboxOf(request);
    const baseUrl = this.#services.baseUrlOf(request);
    const visitor = new Visitor(request, reply, { baseUrl, sandbox, mac: this.#mac });
    return { request, reply, sandbox, baseUrl, visitor };
  }
}

async function sessionOf({ visitor, sandbox }: Exchange): Promise<Session | undefined> {
  const { sessionKey } = visitor;
  return sessionKey === undefined ? undefined : rules.useSession(sandbox, sessionKey);
}

async function begin(
  exchange: Exchange,
  begun: Pick<Session, 'username' | 'amr' | 'isRemembered' | 'isHalf'>,
) {
  const { visitor, sandbox } = exchange;
  const formerKey = visitor.sessionKey;
  const isKept = begun.isRemembered && !begun.isHalf;
  const key = visitor.beginSession(isKept ? lifetimes.remembered / 1000 : undefined);
  const session = await rules.beginSession(sandbox, { ...begun, key, formerKey });
  if (wantsPage(exchange)) return backToPage(exchange);
  return session.isHalf ? describeHalf(session) : describeSession(session, await sandbox.now());
}

function leave(exchange: Exchange) {
  exchange.visitor.endSession();
  return wantsPage(exchange) ? backToPage(exchange) : exchange.reply.code(204).send();
}

async function describe({ sandbox }: Exchange, session: Session | undefined) {
  if (session === undefined) return { authenticated: false, nextStep: 'login' } as const;
  return session.isHalf ? describeHalf(session) : describeSession(session, await sandbox.now());
}

/** So that nobody sends the form again by looking at the page again. */
function backToPage({ reply, baseUrl }: Exchange): Reply {
  return reply.redirect(`${baseUrl}/api/auth/session`, 303);
}

function wantsPage({ request: { headers } }: Exchange): boolean {
  return mediaType(headers['content-type']) === formType && prefersPage(headers.accept);
}

/** What a form is rejected for is told on the page that it came from. */
async function withPages<Answer>(exchange: Exchange, response: () => Promise<Answer>) {
  try {
    return await response();
  } catch (error) {
    if (!(error instanceof HttpError) || !wantsPage(exchange)) throw error;
    exchange.reply.headers(error.headers);
    return sendPage(exchange, await sessionOf(exchange), error);
  }
}

async function sendPage(
  exchange: Exchange,
  session: Session | undefined,
  fault?: HttpError,
): Promise<Reply> {
  const { visitor, sandbox, baseUrl, reply } = exchange;
  const nowMs = await sandbox.now();
  const parts = {
    csrf: visitor.formToken(nowMs),
    path: `${basePathOf(baseUrl)}/api/auth/session`,
    fault: fault?.message,
  };
  const { recoveryCodes = [] } = rules.findUser(session?.username ?? '') ?? {};
  const page =
    session === undefined
      ? loginPage(parts)
      : session.isHalf
        ? codePage(describeHalf(session), recoveryCodes, parts)
        : sessionPage(describeSession(session, nowMs), parts);
  return page.send(reply, { status: fault?.status ?? 200 });
}

function checkVerdict(verdict: Verdict, message: string): void {
  if (verdict.kind === 'wrong') throw unauthorized(message, challenge);
  if (verdict.kind !== 'wait') return;
  const { seconds } = verdict;
  throw new HttpError(
    429,
    `It was wrong ${maxWrong} times for this user. Wait ${seconds} s; until then even the right one is rejected.`,
    { headers: { 'retry-after': String(seconds) }, body: { retryAfter: seconds } },
  );
}

/**
 * Rejects what a page of another site can have a browser send: a form without its token, and a body that no
 * preflight comes before. Cookies never go along with JSON from elsewhere, since CORS here allows no credentials.
 */
async function checkOrigin(
  { request, visitor, sandbox, baseUrl }: Exchange,
  { csrf }: Guarded,
): Promise<void> {
  const { 'content-type': contentType } = request.headers;
  if (mediaType(contentType) === formType) {
    const token = csrf ?? singleHeader(request, 'x-csrf-token');
    if (visitor.isFormToken(token, await sandbox.now())) return;
    throw new HttpError(
      403,
      'The CSRF token is missing, is of another browser or session, or has expired after half an hour. GET /api/auth/session/csrf returns one; send it as the field csrf, with the cookies.',
    );
  }
  const origin = singleHeader(request, 'origin');
  if (isJsonType(contentType) || origin === undefined) return;
  if (origin === new URL(baseUrl).origin) return;
  throw new HttpError(
    403,
    'The request comes from a page of another origin. Send JSON, or a form.',
  );
}

function noSession(): HttpError {
  return unauthorized(
    'Nobody is logged in: the session cookie is missing, unknown in this sandbox, or its session has expired. POST login.',
    challenge,
  );
}
