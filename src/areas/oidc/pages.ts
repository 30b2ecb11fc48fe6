/** The pages of the issuer: logging in, consent, logging out, and what went wrong. */

import { HttpError } from '../../http/http-error.js';
import { prefersPage } from '../../http/negotiation/read-preferences.js';
import { oauthBody } from '../../http/oauth/oauth-error.js';
import { type Html, html } from '../../kit/pages/html.js';
import { faultNote, hiddenFields, usersTable } from '../../kit/pages/login-parts.js';
import { renderPage } from '../../kit/pages/plain-page.js';
import type { Sandbox } from '../../state/state.js';
import type { AuthorizationRequest } from './authorize/authorization-request.js';
import type { Session } from './authorize/session.js';
import { UnregisteredAddress } from './clients/unregistered-address.js';
import { issuerEndpoint } from './exchange.js';
import type { Issuer } from './issuer.js';
import { scopeMeanings } from './scopes.js';
import type { User } from './users.js';

/** Makes an endpoint for browsers, which get rejections as pages. */
export function pageEndpoint(...[method, part, spec]: Parameters<typeof issuerEndpoint>) {
  return issuerEndpoint(method, part, {
    ...spec,
    async handle(at) {
      try {
        return await spec.handle(at);
      } catch (error) {
        const { request, reply, sandbox, issuer } = at;
        if (!(error instanceof HttpError) || !prefersPage(request.headers.accept)) throw error;
        const { status, message } = error;
        const { 'retry-after': seconds } = error.headers;
        if (seconds !== undefined) reply.header('retry-after', seconds);
        const how =
          error instanceof UnregisteredAddress && registrationNote(error, sandbox, issuer);
        return messagePage('Request rejected', message, how).send(reply, { status });
      }
    },
  });
}

/** Shows how to register the address with a new client. */
function registrationNote(error: UnregisteredAddress, sandbox: Sandbox, issuer: Issuer): Html {
  const registration = error.registration(sandbox, issuer);
  if ('fault' in registration) return html`<p class="quiet">${registration.fault}</p>`;
  return html`
    <p>This command registers the address, and responds with a client that has it:</p>
    <p><code>${registration.command}</code></p>
    <p class="quiet">To keep <code>${error.client.clientId}</code>, put the address into <code>clients</code> of PUT /api/sandbox/oidc.</p>`;
}

/** For a form that another browser was shown, or none. */
export function strangeForm(): HttpError {
  const message =
    'This form was not shown to this browser in the last half hour. Begin again at the application, with cookies.';
  return new HttpError(403, message, { body: oauthBody('access_denied', message) });
}

interface FormParts {
  /** The parameters of the request, which the form brings along. */
  readonly request: string;
  /** Proves that the form is ours, and this browser's. */
  readonly csrf: string;
  readonly fault?: string | undefined;
  readonly action?: string | undefined;
  readonly note?: Html;
}

export function loginPage(
  { client, loginHint = '' }: Pick<AuthorizationRequest, 'client' | 'loginHint'>,
  users: readonly User[],
  { request, csrf, fault, action = 'login' }: FormParts,
) {
  const body = html`
    <h1>Log in</h1>
    <p><strong>${client.name}</strong> wants to know who you are.</p>
    ${faultNote(fault)}
    <form method="post" action="${action}">
      ${hiddenFields({ request, csrf })}
      <label>User name <input name="username" value="${loginHint}" autocomplete="username" required></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
      <button>Log in</button>
      <button class="quiet" name="cancel" value="yes" formnovalidate>Cancel</button>
    </form>
    ${usersTable(users)}`;
  return renderPage('Log in', body);
}

/** `proof` says that the password was right. */
export function codePage(
  { username, totpSecret, recoveryCodes = [] }: User,
  proof: string,
  { request, csrf, fault, action = 'login' }: FormParts,
) {
  const body = html`
    <h1>One more step</h1>
    <p>Send the code that an authenticator app shows for <strong>${username}</strong>.</p>
    ${faultNote(fault)}
    <form method="post" action="${action}">
      ${hiddenFields({ request, csrf, username, proof })}
      <label>Code <input name="code" autocomplete="one-time-code" required></label>
      <button>Log in</button>
      <button class="quiet" name="cancel" value="yes" formnovalidate>Cancel</button>
    </form>
    <p class="quiet">The secret of the app is <code>${totpSecret}</code>: this is practice.</p>
    ${recoveryCodes.length > 0 && html`<p class="quiet">Without it, a recovery code counts once: ${recoveryCodes.map((code) => html`<code>${code}</code> `)}</p>`}`;
  return renderPage('One more step', body);
}

export function consentPage(
  { client, scopes }: Pick<AuthorizationRequest, 'client' | 'scopes'>,
  { username }: Session,
  { request, csrf, note, action = 'consent' }: FormParts,
) {
  const { about = [] } = client;
  const body = html`
    <h1>Allow this?</h1>
    <p>You are <strong>${username}</strong>. <strong>${client.name}</strong> (<code>${client.clientId}</code>) asks to:</p>
    <ul>${scopes.map((scope) => html`<li>${scopeMeanings[scope] ?? 'use the scope'} <small>${scope}</small></li>`)}</ul>
    ${about.length > 0 && html`<p class="quiet">Of the application: ${about.map(({ title, address }) => html`<a href="${address}">${title}</a> `)}</p>`}
    ${note}
    <form method="post" action="${action}">
      ${hiddenFields({ request, csrf })}
      <button name="answer" value="allow">Allow</button>
      <button class="quiet" name="answer" value="deny">Deny</button>
    </form>`;
  return renderPage('Allow this?', body);
}

export function userCodePage() {
  const body = html`
    <h1>Connect a device</h1>
    <p>Type the code that the device shows.</p>
    <form action="device">
      <label>Code <input name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" required></label>
      <button>Go on</button>
    </form>`;
  return renderPage('Connect a device', body);
}

export function logoutPage(username: string, fields: Readonly<Record<string, string>>) {
  const body = html`
    <h1>Log out?</h1>
    <p>You are <strong>${username}</strong>.</p>
    <form method="post" action="logout">${hiddenFields(fields)}<button>Log out</button></form>`;
  return renderPage('Log out?', body);
}

export function messagePage(title: string, message: string, more: Html | false = false) {
  return renderPage(title, html`<h1>${title}</h1><p>${message}</p>${more}`);
}

/** The frames tell other applications; then the page leads on. */
export function loggedOutPage(frames: readonly string[], target: string | undefined) {
  const body = html`
    <h1>You are logged out</h1>
    <p>This browser has no session here any more.</p>
    ${frames.map((uri) => html`<iframe src="${uri}" title="Tells an application" hidden></iframe>`)}
    ${target !== undefined && html`<p><a href="${target}">Back to the application</a></p>`}`;
  return renderPage('You are logged out', body);
}
