/** What people see: forms to log in, the second step, and whose session it is. */

import { practiceUsers } from '../../http/credentials/practice-users.js';
import { type Html, html } from '../../site/html.js';
import { faultNote, usersTable } from '../../site/login-parts.js';
import { renderPage } from '../../site/plain-page.js';
import type { describeHalf, describeSession } from './describe-session.js';

interface FormParts {
  readonly csrf: string;
  /** The path of the page, which forms begin with. */
  readonly path: string;
  readonly fault?: string | undefined;
}

const form = ({ path, csrf }: FormParts, action: string, fields: Html) => html`
    <form method="post" action="${path}/${action}">
      <input type="hidden" name="csrf" value="${csrf}">${fields}
    </form>`;

export function loginPage(parts: FormParts) {
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

export function codePage(
  { username, totpSecret }: ReturnType<typeof describeHalf>,
  recoveryCodes: readonly string[],
  parts: FormParts,
) {
  const code = html`
      <label>Code <input name="code" inputmode="numeric" autocomplete="one-time-code" required></label>
      <button>Log in</button>`;
  const recovery = html`
      <label>Or a recovery code <input name="code" autocomplete="off" required></label>
      <button class="quiet">Log in with it</button>`;
  const body = html`
    <h1>One more step</h1>
    <p>Send the code that an authenticator app shows for <strong>${username}</strong>.</p>
    ${faultNote(parts.fault)}${form(parts, 'totp', code)}
    <p class="quiet">The secret of the app is <code>${totpSecret}</code>: this is practice.</p>
    ${form(parts, 'recovery', recovery)}
    <p class="quiet">Each counts once: ${recoveryCodes.map((each, place) => html`${place > 0 && ', '}<code>${each}</code>`)}.</p>
    ${form(parts, 'logout', html`<button class="quiet">Cancel</button>`)}`;
  return renderPage('One more step', body);
}

export function sessionPage(session: ReturnType<typeof describeSession>, parts: FormParts) {
  const { username, roles, amr, remembered, startedAt, endsUnlessUsedAt, endsAt } = session;
  const facts: readonly (readonly [string, string])[] = [
    ['Roles', roles.join(', ')],
    ['Logged in by', amr.join(', ')],
    ['Remembered', remembered ? 'yes' : 'no'],
    ['Began', startedAt],
    ['Ends unless used', endsUnlessUsedAt],
    ['Ends at last', endsAt],
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
