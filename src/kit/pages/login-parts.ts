/** Parts of pages with login forms. */

import type { PracticeUser } from '#http/credentials/practice-users.js';
import { type Html, html } from './html.js';

export function faultNote(fault: string | undefined): Html | false {
  return fault !== undefined && html`<p class="fault" role="alert">${fault}</p>`;
}

export function hiddenFields(
  values: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[],
): readonly Html[] {
  const pairs = Array.isArray(values) ? values : Object.entries(values);
  return pairs.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}

/**
 * Shows a button for each user, which submits `as` and needs no password, because all credentials
 * here are public.
 */
export function userButtons(users: readonly PracticeUser[]): Html {
  return html`<fieldset class="users">
      <legend>Use one of these demo users</legend>
      ${users.map(
        ({ username, password, roles, totpSecret }) =>
          html`<button class="user" name="as" value="${username}" formnovalidate><span>Continue as <b>${username}</b></span> <small>password <code>${password}</code>${roles.map((role) => `, ${role}`)}${totpSecret !== undefined && ', then a code'}</small></button>`,
      )}
    </fieldset>`;
}

/** Lists the users, because all credentials here are public. */
export function usersTable(users: readonly PracticeUser[]): Html {
  return html`<table>
      <caption class="quiet">Use one of these demo users.</caption>
      <thead><tr><th scope="col">User name</th><th scope="col">Password</th><th scope="col">Roles</th></tr></thead>
      <tbody>${users.map(
        ({ username, password, roles, totpSecret }) =>
          html`<tr><td><code>${username}</code></td><td><code>${password}</code></td><td>${roles.join(', ')}${totpSecret !== undefined && ', with a code'}</td></tr>`,
      )}</tbody>
    </table>`;
}
