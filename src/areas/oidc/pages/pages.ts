/** The pages of the issuer: login, consent, logout, and errors. */

import { HttpError } from '#http/http-error.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { oauthBody } from '#http/oauth/oauth-error.js';
import { type Html, html } from '#kit/pages/html.js';
import { faultNote, hiddenFields, userButtons } from '#kit/pages/login-parts.js';
import { renderPage } from '#kit/pages/plain-page.js';
import { issuerEndpoint } from '../exchange.js';
import { scopeMeanings } from '../messages/known-scopes.js';
import type { Client } from '../model/client.js';
import type { Session } from '../model/session.js';
import type { User } from '../model/users.js';
import { issuerErrorPage } from './error-page.js';

/** Creates an endpoint for browsers, which gets errors as pages. */
export function pageEndpoint(...[method, part, spec]: Parameters<typeof issuerEndpoint>) {
  return issuerEndpoint(method, part, {
    ...spec,
    async handle(at) {
      try {
        return await spec.handle(at);
      } catch (error) {
        const { request, reply } = at;
        if (!(error instanceof HttpError) || !prefersPage(request.headers.accept)) throw error;
        const { status } = error;
        const { 'retry-after': seconds } = error.headers;
        if (seconds !== undefined) reply.header('retry-after', seconds);
        return (await issuerErrorPage(at, error)).send(reply, { status });
      }
    },
  });
}

/** Rejects a form that this browser did not get. */
export function strangeForm(): HttpError {
  const message =
    'This form is expired or from another browser. Begin again at the application, with cookies enabled.';
  return new HttpError(403, message, { body: oauthBody('access_denied', message) });
}

interface FormParts {
  /** The parameters of the request, which the form carries. */
  readonly request: string;
  /** Proves that this service showed the form to this browser. */
  readonly csrf: string;
  readonly fault?: string | undefined;
  readonly action?: string | undefined;
  readonly note?: Html;
}

/** For a user name that was typed. */
const maxNameLength = 200;

/** `loginHint` is the user name that the request has, or that was just typed. */
export function loginPage(
  { client, loginHint = '' }: { readonly client: Client; readonly loginHint?: string | undefined },
  users: readonly User[],
  { request, csrf, fault, action = 'login' }: FormParts,
) {
  const username = loginHint.slice(0, maxNameLength);
  const isAgain = fault !== undefined && username !== '';
  const body = html`
    <h1>Log in</h1>
    <p><strong>${client.name}</strong> wants to know who you are.</p>
    ${faultNote(fault)}
    <form method="post" action="${action}">
      ${hiddenFields({ request, csrf })}
      <label>User name <input name="username" value="${username}" autocomplete="username" required></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required ${isAgain && html`autofocus`}></label>
      <button>Log in</button>
      <button class="quiet" name="cancel" value="yes" formnovalidate>Cancel</button>
      ${userButtons(users)}
    </form>`;
  return renderPage('Log in', body);
}

/** `proof` says that the password was correct. */
export function codePage(
  { username, totpSecret, recoveryCodes = [] }: User,
  proof: string,
  { request, csrf, fault, action = 'login' }: FormParts,
) {
  const body = html`
    <h1>Second factor</h1>
    <p>Send the code that an authenticator app shows for <strong>${username}</strong>.</p>
    ${faultNote(fault)}
    <form method="post" action="${action}">
      ${hiddenFields({ request, csrf, username, proof })}
      <label>Code <input name="code" autocomplete="one-time-code" required></label>
      <button>Log in</button>
      <button class="quiet" name="cancel" value="yes" formnovalidate>Cancel</button>
    </form>
    <p class="quiet">The secret for the app is <code>${totpSecret}</code>.</p>
    ${recoveryCodes.length > 0 && html`<p class="quiet">Or use a recovery code, each of which works once: ${recoveryCodes.map((code) => html`<code>${code}</code> `)}</p>`}`;
  return renderPage('Second factor', body);
}

export function consentPage(
  { client, scopes }: { readonly client: Client; readonly scopes: readonly string[] },
  { username }: Session,
  { request, csrf, note, action = 'consent' }: FormParts,
) {
  const { about = [] } = client;
  const body = html`
    <h1>Allow this?</h1>
    <p>You are <strong>${username}</strong>. <strong>${client.name}</strong> (<code>${client.clientId}</code>) wants to:</p>
    <ul>${scopes.map((scope) => html`<li>${scopeMeanings[scope] ?? 'use the scope'} <small>${scope}</small></li>`)}</ul>
    ${about.length > 0 && html`<p class="quiet">About the application: ${about.map(({ title, address }) => html`<a href="${address}">${title}</a> `)}</p>`}
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
      <button>Continue</button>
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

/** The frames notify other applications; then the page continues. */
export function loggedOutPage(frames: readonly string[], target: string | undefined) {
  const body = html`
    <h1>You are logged out</h1>
    <p>This browser has no session here any more.</p>
    ${frames.map((uri) => html`<iframe src="${uri}" title="Notifies an application" hidden></iframe>`)}
    ${target !== undefined && html`<p><a href="${target}">Back to the application</a></p>`}`;
  return renderPage('You are logged out', body);
}
