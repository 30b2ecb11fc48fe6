/** Logs in a user with a password and, for some, a code. A login begins a session with a new id. */

import { isSameSecret } from '#http/credentials/is-same-secret.js';
import { randomText } from '#http/credentials/secret-text.js';
import { takeTotp } from '#http/credentials/totp.js';
import type { Reply } from '#http/exchange.js';
import type { Form } from '#http/oauth/form.js';
import { rejected } from '#http/oauth/oauth-error.js';
import { announceEvent, publishEvent } from '#state/events/publish-event.js';
import type { Space } from '#state/state.js';
import { useOnce } from '#state/use-once.js';
import type { Exchange } from '../exchange.js';
import type { Client } from '../model/client.js';
import { issuerEvent } from '../model/issuer-events.js';
import { lifetimesIn } from '../model/issuer-settings.js';
import { type Session, sessions } from '../model/session.js';
import { findUser, type User, usersOf } from '../model/users.js';
import { codePage, loginPage } from '../pages/pages.js';
import { Browser } from './browser.js';

export interface Visit extends Exchange {
  readonly browser: Browser;
  readonly nowMs: number;
}

export async function visitOf(at: Exchange): Promise<Visit> {
  return { ...at, browser: new Browser(at), nowMs: await at.sandbox.now() };
}

export async function sessionOf({ browser, sandbox }: Visit): Promise<Session | undefined> {
  const { sessionKey } = browser;
  return sessionKey === undefined ? undefined : sandbox.read(sessions, sessionKey);
}

interface Incomplete {
  readonly fault?: string;
  /** The user name that was typed, so that it need not be typed again. */
  readonly username?: string | undefined;
  readonly needsCodeOf?: User;
}

/** Keyed by user: the last time step of RFC 6238 whose code was accepted. */
const usedSteps: Space<number> = { name: 'oidc-totp-steps', maxKeys: 1000 };

/** Keyed by user and code: used codes, until the sandbox is reset. */
const usedRecoveryCodes: Space<true> = { name: 'oidc-recovery-codes', maxKeys: 1000 };

export async function logIn(visit: Visit, form: Form): Promise<Session | Incomplete> {
  // A button of a user: the page that it is on also shows the user's password.
  const chosen = form.get('as');
  const user = await findUser(visit.sandbox, chosen ?? form.get('username') ?? '');
  const code = form.get('code');
  if (code !== undefined) return logInByCode(visit, form, user, code);
  const isRight =
    chosen !== undefined || isSameSecret(form.get('password') ?? '', user?.password ?? '');
  if (user === undefined || !isRight) {
    const username = form.get('username');
    await announceFailure(visit, username ?? '', 'password');
    return { fault: 'The user name or the password is wrong.', username };
  }
  return user.totpSecret === undefined ? beginSession(visit, user, false) : { needsCodeOf: user };
}

const maxShownName = 100;

function announceFailure({ sandbox }: Visit, username: string, reason: 'password' | 'code') {
  const about = username.slice(0, maxShownName);
  return announceEvent(sandbox, issuerEvent('login.failed', about, { reason }));
}

async function logInByCode(
  visit: Visit,
  form: Form,
  user: User | undefined,
  code: string,
): Promise<Session | Incomplete> {
  const { browser, nowMs } = visit;
  if (user === undefined || !browser.isProof(form.get('proof'), nowMs, 'code', user.username)) {
    return { fault: 'Log in again: the password was entered too long ago.' };
  }
  const isRight = await tryCode(visit, () => takeCode(visit, user, code));
  if (isRight) return beginSession(visit, user, true);
  await announceFailure(visit, user.username, 'code');
  return { needsCodeOf: user, fault: 'The code is wrong or already used.' };
}

/** Looks up a code that a user typed. Throws 429 after too many wrong codes at the issuer. */
export function tryCode<Found>(
  { services, request, sandbox }: Exchange,
  find: () => Promise<Found>,
): Promise<Found> {
  return services.wrongCodes.try(request, ['issuer', sandbox.name], find, (found) => !found);
}

async function takeCode({ sandbox }: Visit, user: User, code: string): Promise<boolean> {
  const { username, totpSecret, recoveryCodes = [] } = user;
  const isRight = await sandbox.update(usedSteps, username, (last: number | undefined, nowMs) =>
    takeTotp(totpSecret, code, last, nowMs),
  );
  if (isRight) return true;
  const known = recoveryCodes.find((each) => isSameSecret(code.trim().toLowerCase(), each));
  if (known === undefined) return false;
  return useOnce(sandbox, usedRecoveryCodes, JSON.stringify([username, known]));
}

/** Logs in without a page, for the parameter `auto`. Throws {@link RejectedRequest} for an unknown user. */
export async function logInAs(visit: Visit, username: string): Promise<Session> {
  const user = await findUser(visit.sandbox, username);
  if (user !== undefined) return beginSession(visit, user, user.totpSecret !== undefined);
  const names = (await usersOf(visit.sandbox)).map((each) => each.username).join(', ');
  throw rejected(`auto must be one of ${names}, deny.`);
}

interface LoginForm {
  readonly client: Client;
  readonly loginHint?: string | undefined;
  /** The request that the form carries and belongs to. */
  readonly request: string;
  readonly purpose: 'login' | 'device-login';
  readonly action?: string;
  /** The final redirect target. */
  readonly formTarget?: string;
}

/** Sends the page for the password or, after it, for the code. */
export async function askLogin(
  { browser, nowMs, sandbox, reply }: Visit,
  { client, loginHint, request, purpose, action, formTarget }: LoginForm,
  { fault, username, needsCodeOf: user }: Incomplete = {},
): Promise<Reply> {
  const parts = { request, csrf: browser.proof(nowMs, purpose, request), fault, action };
  const page =
    user === undefined
      ? loginPage({ client, loginHint: username ?? loginHint }, await usersOf(sandbox), parts)
      : codePage(user, browser.proof(nowMs, 'code', user.username), parts);
  return page.send(reply, { formTarget });
}

async function beginSession(visit: Visit, { username }: User, isMfa: boolean): Promise<Session> {
  const { browser, sandbox } = visit;
  const former = browser.sessionKey;
  const key = browser.beginSession();
  const sid = randomText('sid');
  return sandbox.transact((view) => {
    const amr = isMfa ? ['pwd', 'otp', 'mfa'] : ['pwd'];
    const session = { username, authTimeMs: view.nowMs, amr, acr: isMfa ? 'mfa' : 'pwd', sid };
    if (former !== undefined) view.write(sessions, former, undefined);
    const expiresAtMs = view.nowMs + lifetimesIn(view).session * 1000;
    view.write(sessions, key, session, { expiresAtMs });
    publishEvent(view, issuerEvent('login.succeeded', username, { amr, sid }));
    return session;
  });
}
