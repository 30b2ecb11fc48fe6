/** Logs a person in: by a password and, for some, a code after it. A login begins a session under a new name. */

import { isSameSecret } from '../../../http/credentials/is-same-secret.js';
import { randomText } from '../../../http/credentials/secret-text.js';
import { totpStep } from '../../../http/credentials/totp.js';
import type { Reply } from '../../../http/exchange.js';
import type { Form } from '../../../http/oauth/form.js';
import type { Sandbox } from '../../../state/state.js';
import type { Client } from '../clients/client.js';
import { codePage, loginPage } from '../pages/pages.js';
import { RejectedRequest } from '../rejected-request.js';
import { lifetimesIn } from '../settings/issuer-settings.js';
import { useOnce } from '../use-once.js';
import { findUser, usersOf } from '../users/find-user.js';
import type { User } from '../users/ready-users.js';
import type { TryCode } from '../users/try-code.js';
import type { Browser } from './browser.js';
import { type Session, sessions, usedRecoveryCodes, usedSteps } from './session.js';

/** A person at a page of the issuer. */
export interface Visit {
  readonly reply: Reply;
  readonly sandbox: Sandbox;
  readonly browser: Browser;
  readonly nowMs: number;
  readonly tryCode: TryCode;
}

/** Returns the session of the browser, if it has one. */
export async function sessionOf({
  browser: { sessionKey },
  sandbox,
}: Pick<Visit, 'browser' | 'sandbox'>): Promise<Session | undefined> {
  return sessionKey === undefined ? undefined : sandbox.read(sessions, sessionKey);
}

/** What a login form lacks. */
export interface Incomplete {
  readonly fault?: string;
  readonly needsCodeOf?: User;
}

/** A code can be used for as long as clocks may differ. */
const rememberedMs = 5 * 60 * 1000;

/** Returns the session of a login form that is right. */
export async function logIn(visit: Visit, form: Form): Promise<Session | Incomplete> {
  const username = form.get('username') ?? '';
  const user = await findUser(visit.sandbox, username);
  const code = form.get('code');
  if (code !== undefined) return logInByCode(visit, form, user, code);
  const isRight = isSameSecret(form.get('password') ?? '', user?.password ?? '');
  if (user === undefined || !isRight) return { fault: 'The user name or the password is wrong.' };
  return user.totpSecret === undefined ? beginSession(visit, user, false) : { needsCodeOf: user };
}

async function logInByCode(
  visit: Visit,
  form: Form,
  user: User | undefined,
  code: string,
): Promise<Session | Incomplete> {
  const { browser, nowMs, sandbox, tryCode } = visit;
  if (user === undefined || !browser.isProof(form.get('proof'), nowMs, 'code', user.username)) {
    return { fault: 'Log in again: the password was too long ago.' };
  }
  const isRight = await tryCode(
    async () =>
      (await takeCode(sandbox, user, code)) || (await takeRecoveryCode(sandbox, user, code)),
  );
  if (isRight) return beginSession(visit, user, true);
  return { needsCodeOf: user, fault: 'The code is wrong, or was used before.' };
}

/** Logs in without a page, as the parameter `auto` says. Throws {@link RejectedRequest} for an unknown user. */
export async function logInAs(visit: Visit, username: string): Promise<Session> {
  const user = await findUser(visit.sandbox, username);
  if (user !== undefined) return beginSession(visit, user, user.totpSecret !== undefined);
  const names = (await usersOf(visit.sandbox)).map((each) => each.username).join(', ');
  throw new RejectedRequest('invalid_request', `auto must be one of ${names}, deny.`);
}

interface LoginForm {
  readonly client: Client;
  readonly loginHint?: string;
  /** What the form brings along, and is valid for. */
  readonly request: string;
  readonly purpose: 'login' | 'device-login';
  /** Where the form is sent. */
  readonly action?: string;
  /** Where it leads in the end. */
  readonly formTarget?: string;
}

/** Sends the page that asks for the password or, once it was right, for a code. */
export async function askLogin(
  { browser, nowMs, sandbox, reply }: Visit,
  login: LoginForm,
  { fault, needsCodeOf: user }: Incomplete = {},
): Promise<Reply> {
  const { request, action, formTarget } = login;
  const parts = { request, csrf: browser.proof(nowMs, login.purpose, request), fault, action };
  const page =
    user?.totpSecret === undefined
      ? loginPage(login, await usersOf(sandbox), parts)
      : codePage(user, browser.proof(nowMs, 'code', user.username), parts);
  return page.send(reply, formTarget === undefined ? {} : { formTarget });
}

async function beginSession(
  { sandbox, browser }: Visit,
  { username }: User,
  isMfa: boolean,
): Promise<Session> {
  const former = browser.sessionKey;
  const key = browser.beginSession();
  const sid = randomText('sid');
  return sandbox.transact((view) => {
    const session = {
      username,
      authTimeMs: view.nowMs,
      amr: isMfa ? ['pwd', 'otp', 'mfa'] : ['pwd'],
      acr: isMfa ? 'mfa' : 'pwd',
      sid,
    };
    if (former !== undefined) view.write(sessions, former, undefined);
    const expiresAtMs = view.nowMs + lifetimesIn(view).session * 1000;
    view.write(sessions, key, session, { expiresAtMs });
    return session;
  });
}

/** Each code can be used once (RFC 6238 section 5.2). */
async function takeCode(
  sandbox: Sandbox,
  { username, totpSecret = '' }: User,
  code: string,
): Promise<boolean> {
  return sandbox.update(usedSteps, username, (last: number | undefined, nowMs) => {
    const step = totpStep(totpSecret, code, nowMs);
    if (step === undefined || step <= (last ?? -1)) return { value: last, result: false };
    return { value: step, expiresAtMs: nowMs + rememberedMs, result: true };
  });
}

/** Each can be used once, until the sandbox is reset. */
async function takeRecoveryCode(
  sandbox: Sandbox,
  { username, recoveryCodes = [] }: User,
  code: string,
): Promise<boolean> {
  const known = recoveryCodes.find((each) => isSameSecret(code.trim().toLowerCase(), each));
  return (
    known !== undefined && useOnce(sandbox, usedRecoveryCodes, JSON.stringify([username, known]))
  );
}
