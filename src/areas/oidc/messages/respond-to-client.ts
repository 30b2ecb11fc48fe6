/** Sends a response to the client through the browser: OAuth 2.0 Multiple Response Types, Form Post, RFC 9207. */

import { hash } from 'node:crypto';
import type { Reply } from '#http/exchange.js';
import { html } from '#kit/pages/html.js';
import { hiddenFields } from '#kit/pages/login-parts.js';
import { renderPage } from '#kit/pages/plain-page.js';

export const responseModes = ['query', 'fragment', 'form_post'] as const;
type ResponseMode = (typeof responseModes)[number];

export interface ResponsePlace {
  readonly redirectUri: string;
  readonly responseMode: ResponseMode;
  readonly state: string | undefined;
}

/** A list is sent as the parameter several times. */
type Parameters = Readonly<Record<string, string | readonly string[]>>;

export interface ClientResponse extends ResponsePlace {
  /** The issuer (RFC 9207). */
  readonly iss: string | readonly string[] | undefined;
  readonly parameters: Parameters;
}

/** Sends the parameters, with `state` and `iss`, in the requested mode. */
export function respondToClient(
  reply: Reply,
  { redirectUri, responseMode, state, iss, parameters }: ClientResponse,
): Reply {
  const all = {
    ...parameters,
    ...(state !== undefined && { state }),
    ...(iss !== undefined && { iss }),
  };
  if (responseMode === 'form_post') return postForm(reply, redirectUri, all);
  const location = withParameters(redirectUri, responseMode === 'fragment' ? '#' : '?', all);
  // 303, so that no browser posts a password to the client (RFC 9700 section 4.12).
  reply.code(303).header('location', location).header('referrer-policy', 'no-referrer');
  return reply.send();
}

export function withParameters(uri: string, mark: '?' | '#', parameters: Parameters): string {
  const text = new URLSearchParams(pairsOf(parameters)).toString();
  return uri + (uri.includes(mark) ? '&' : mark) + text;
}

function pairsOf(parameters: Parameters): [name: string, value: string][] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
}

const submit = 'document.forms[0].submit()';
const submitHash = hash('sha256', submit, 'base64');

/** A browser without scripts shows the button. */
function postForm(reply: Reply, redirectUri: string, parameters: Parameters): Reply {
  const body = html`
    <h1>Back to the application</h1>
    <form method="post" action="${redirectUri}">${hiddenFields(pairsOf(parameters))}<button>Continue</button></form>
    <script>`;
  const page = renderPage('Back to the application', body, `${submit}</script>`);
  return page.send(reply, { formTarget: redirectUri, script: `'sha256-${submitHash}'` });
}
