/** The error page of an issuer: the guide, what was probably meant, and the command that registers it. */

import { nearestName } from '#base/text/did-you-mean.js';
import type { HttpError } from '#http/http-error.js';
import { type Form, readQuery } from '#http/oauth/form.js';
import { OAuthError } from '#http/oauth/oauth-error.js';
import { type Html, html } from '#kit/pages/html.js';
import { type Page, renderPage } from '#kit/pages/plain-page.js';
import { pathToRoot } from '#kit/pages/send-page.js';
import type { Exchange } from '../exchange.js';
import { findClient, readyClients } from '../model/find-client.js';
import { settingsOf } from '../model/issuer-settings.js';
import { offersOf } from '../model/scopes.js';
import { registerClient, UnknownClient, UnregisteredAddress } from './unregistered.js';

/** Parameters of authorization and logout requests. */
const parameters = [
  ...['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce', 'code_challenge'],
  ...['code_challenge_method', 'response_mode', 'prompt', 'max_age', 'login_hint', 'claims'],
  ...['id_token_hint', 'acr_values', 'request', 'request_uri', 'resource', 'audience', 'dpop_jkt'],
  ...['post_logout_redirect_uri', 'auto', 'misbehave', 'user_code'],
];
const maxSuggestions = 4;

export async function issuerErrorPage(at: Exchange, error: HttpError): Promise<Page> {
  const root = pathToRoot(at.request.url);
  const form = sentQuery(at);
  const body = html`
    <h1>Request rejected</h1>
    <p>${error.message}</p>
    ${suggestionsList(form, await suggestionsFor(at, form))}
    ${await registrationNote(at, error, form)}
    <p class="links"><a href="${root}guides/oidc#what-each-failure-means">What each failure means</a>
      <a href="${root}guides/oidc#your-own-client-api-and-claims">Register a client</a>
      <a href="../oidc">See a login step by step</a></p>`;
  return renderPage('Request rejected', body);
}

/** Bodies are not read again: a link could not repeat them. */
function sentQuery({ request }: Exchange): Form {
  try {
    return readQuery(request, ['resource', 'audience']);
  } catch (error) {
    if (error instanceof OAuthError) return new Map();
    throw error;
  }
}

interface Suggestion {
  readonly name: string;
  readonly text: string;
  /** The query with the suggestion. */
  readonly fixed: Form;
}

async function suggestionsFor(at: Exchange, form: Form): Promise<readonly Suggestion[]> {
  const values = await Promise.all([clientId(at, form), redirectUri(at, form), scope(at, form)]);
  const valued = values.flatMap((found) => {
    if (found === undefined) return [];
    const { name, text } = found;
    return [{ name, text, fixed: new Map(form).set(name, text) }];
  });
  return [...renamed(form), ...valued].slice(0, maxSuggestions);
}

/** Suggests a known parameter in place of a similar unknown one. */
function renamed(form: Form): readonly Suggestion[] {
  const missing = parameters.filter((each) => !form.has(each));
  return [...form].flatMap(([given, value]) => {
    if (parameters.includes(given)) return [];
    const text = nearestName(given, missing);
    if (text === undefined) return [];
    const fixed = [...form].map(([name, each]): [string, string] =>
      name === given ? [text, value] : [name, each],
    );
    return [{ name: `the parameter ${given}`, text, fixed: new Map(fixed) }];
  });
}

async function clientId({ sandbox }: Exchange, form: Form) {
  const given = form.get('client_id');
  if (given === undefined || (await findClient(sandbox, given)) !== undefined) return undefined;
  const { clients } = await settingsOf(sandbox);
  const known = [...clients, ...readyClients].map((client) => client.clientId);
  const text = nearestName(given, known);
  return text === undefined ? undefined : { name: 'client_id', text };
}

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])/;

/** Keeps the port of a URI of this machine, because any port is registered. */
async function redirectUri({ sandbox }: Exchange, form: Form) {
  const given = form.get('redirect_uri') ?? '';
  const client = await findClient(sandbox, form.get('client_id') ?? '');
  if (client === undefined || !URL.canParse(given)) return undefined;
  const { host, origin } = new URL(given);
  const known = client.redirectUris.map((each) =>
    loopback.test(each) && loopback.test(given) ? each.replace(loopback, `http://${host}`) : each,
  );
  if (known.includes(given)) return undefined;
  const text = known.find((each) => each.startsWith(`${origin}/`)) ?? nearestName(given, known);
  return text === undefined ? undefined : { name: 'redirect_uri', text };
}

async function scope(at: Exchange, form: Form) {
  const given = form.get('scope')?.split(' ').slice(0, 20) ?? [];
  const { scopes } = await offersOf(at);
  const meant = given.map((each) => (scopes.includes(each) ? each : nearestName(each, scopes)));
  const text = [...new Set(meant.filter((each) => each !== undefined))].join(' ');
  return text === '' || text === given.join(' ') ? undefined : { name: 'scope', text };
}

function suggestionsList(form: Form, suggestions: readonly Suggestion[]): Html | false {
  if (form.size === 0 || suggestions.length === 0) return false;
  return html`<h2>Did you mean</h2>
    <ul>${suggestions.map(
      ({ name, text, fixed }) =>
        html`<li><a href="?${new URLSearchParams([...fixed]).toString()}"><code>${text}</code></a> for ${name}</li>`,
    )}</ul>`;
}

/** Shows the command that registers an unknown client or redirect URI. */
async function registrationNote(
  { sandbox, issuer }: Exchange,
  error: HttpError,
  form: Form,
): Promise<Html | false> {
  if (error instanceof UnknownClient) {
    const { says, command } = registerClient(error.clientId, form, {
      sandbox,
      issuer,
      settings: await settingsOf(sandbox),
    });
    return html`<h2>Or register it</h2><p>${says}</p><pre tabindex="0"><code>${command}</code></pre>`;
  }
  if (!(error instanceof UnregisteredAddress)) return false;
  const registration = error.registration(sandbox, issuer);
  if ('fault' in registration) return html`<p class="quiet">${registration.fault}</p>`;
  return html`<h2>Or register it</h2>
    <p>This command registers the URL for a new client, and returns that client:</p>
    <pre tabindex="0"><code>${registration.command}</code></pre>
    <p class="quiet">To keep <code>${error.client.clientId}</code>, add the URL to its entry in <code>clients</code> of PUT /api/sandbox/oidc.</p>`;
}
