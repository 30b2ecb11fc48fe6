/** The pages for browsers: forms to log in, the second factor, and the session. */

import { basePathOf } from '#http/address/sandbox-address.js';
import { practiceUsers } from '#http/credentials/practice-users.js';
import type { Reply } from '#http/exchange.js';
import type { HttpError } from '#http/http-error.js';
import { type Html, html } from '#kit/pages/html.js';
import { faultNote, usersTable } from '#kit/pages/login-parts.js';
import { renderPage } from '#kit/pages/plain-page.js';
import { describeSession, findUser, type Session } from './session.js';
import type { Visitor } from './visitor.js';

interface FormParts {
  readonly csrf: string;
  /** The path of the page, and the base of form actions. */
  readonly path: string;
  readonly fault?: string | undefined;
}

/** Sends the page of the session or of the login, with an error if there is one. */
export async function sendPage(
  visitor: Visitor,
  session: Session | undefined,
  fault?: HttpError,
): Promise<Reply> {
  const nowMs = await visitor.sandbox.now();
  const path = `${basePathOf(visitor.baseUrl)}/api/auth/session`;
  const parts = { csrf: visitor.formToken(nowMs), path, fault: fault?.message };
  return pageOf(session && describeSession(session, nowMs), parts).send(visitor.reply, {
    status: fault?.status ?? 200,
  });
}

type Described = ReturnType<typeof describeSession>;

function pageOf(session: Described | undefined, parts: FormParts) {
  if (session === undefined) return loginPage(parts);
  return session.authenticated ? sessionPage(session, parts) : codePage(session, parts);
}

const form = ({ path, csrf }: FormParts, action: string, fields: Html) => html`
    <form method="post" action="${path}/${action}">
      <input type="hidden" name="csrf" value="${csrf}">${fields}
    </form>`;

function loginPage(parts: FormParts) {
  const fields = html`
      <label>User name <input name="username" autocomplete="username" required></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
      <label class="choice"><input type="checkbox" name="remember"> Remember me for 30 days</label>
      <button>Log in</button>`;
  const body = html`
    <h1>Log in</h1>
    ${faultNote(parts.fault)}${form(parts, 'login', fields)}
    ${usersTable(practiceUsers)}`;
  return renderPage('Log in', body);
}

function codePage(
  { username, totpSecret }: Extract<Described, { authenticated: false }>,
  parts: FormParts,
) {
  const { recoveryCodes = [] } = findUser(username) ?? {};
  const code = html`
      <label>Code <input name="code" inputmode="numeric" autocomplete="one-time-code" required></label>
      <button>Log in</button>`;
  const recovery = html`
      <label>Or a recovery code <input name="code" autocomplete="off" required></label>
      <button class="quiet">Log in with it</button>`;
  const body = html`
    <h1>Second factor</h1>
    <p>Send the code that an authenticator app shows for <strong>${username}</strong>.</p>
    ${faultNote(parts.fault)}${form(parts, 'totp', code)}
    <p class="quiet">The secret for the app is <code>${totpSecret}</code>.</p>
    ${form(parts, 'recovery', recovery)}
    <p class="quiet">Each works once: ${recoveryCodes.map((each, index) => html`${index > 0 && ', '}<code>${each}</code>`)}.</p>
    ${form(parts, 'logout', html`<button class="quiet">Cancel</button>`)}`;
  return renderPage('Second factor', body);
}

function sessionPage(session: Extract<Described, { authenticated: true }>, parts: FormParts) {
  const { username } = session;
  const facts: readonly (readonly [string, string])[] = [
    ['Roles', session.roles.join(', ')],
    ['Logged in by', session.amr.join(', ')],
    ['Remembered', session.remembered ? 'yes' : 'no'],
    ['Began', session.startedAt],
    ['Expires unless used', session.endsUnlessUsedAt],
    ['Expires at the latest', session.endsAt],
  ];
  const body = html`
    <h1>You are ${username}</h1>
    ${faultNote(parts.fault)}
    <table><tbody>${facts.map(
      ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
    )}</tbody></table>
    ${form(parts, 'logout', html`<button>Log out</button>`)}
    ${form(parts, 'logout-everywhere', html`<button class="quiet">Log out everywhere</button>`)}`;
  return renderPage(`You are ${username}`, body);
}
