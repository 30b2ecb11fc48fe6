/** Finds the parameters of an authorization request: sent directly, pushed before (RFC 9126), or signed (RFC 9101). */

import { keyOf, randomText } from '#http/credentials/secret-text.js';
import { type Form, readFormText } from '#http/oauth/form.js';
import { type RejectedRequest, rejected } from '#http/oauth/oauth-error.js';
import type { Sandbox, Space } from '#state/state.js';
import { verifyClientJwt } from '../clients/client-jwt.js';
import type { Client } from '../model/client.js';
import type { Signing } from '../model/issuer-keys.js';
import { formMs } from './browser.js';

interface Sent extends Signing {
  readonly form: Form;
}

/** Ignores parameters beside a pushed or a signed request. Throws {@link RejectedRequest}. */
export async function resolveRequest(sent: Sent, client: Client): Promise<Form> {
  const { form, sandbox } = sent;
  const uri = form.get('request_uri');
  if (uri === undefined) {
    if (!client.mustPush) return resolveObject(sent, client);
    throw rejected(
      'This client registered require_pushed_authorization_requests: push the request.',
    );
  }
  if (form.has('request')) throw rejected('Send request or request_uri, not both.');
  if (!uri.startsWith(scheme)) {
    throw rejected(
      'request_uri must be from a pushed request: the server fetches no URLs.',
      'request_uri_not_supported',
    );
  }
  const pushed = await readPushed(sandbox, client, uri);
  if (pushed === undefined) throw usedUp();
  return pushed;
}

/** Resumes a request that a page carries, and that was resolved before. */
export async function resumeRequest({ form, sandbox }: Sent): Promise<Form> {
  const uri = form.get('request_uri');
  if (uri !== undefined && (await hasResponse(sandbox, uri))) throw usedUp();
  return form;
}

export function usedUp(): RejectedRequest {
  return rejected(
    "request_uri must be from this client's last minute, and unused.",
    'invalid_request_uri',
  );
}

export async function resolveObject(sent: Sent, client: Client): Promise<Form> {
  const object = sent.form.get('request');
  if (object !== undefined) return readObject(object, client, sent);
  if (!client.mustSign) return sent.form;
  throw rejected('This client registered require_signed_request_object: send request.');
}

/** Claims about the JWT, which are not parameters. */
const ownClaims = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'sub'];

/** Returns the parameters of a request object, by name. */
async function readObject(object: string, client: Client, signing: Signing): Promise<Form> {
  const { sandbox, issuer } = signing;
  const { clientId } = client;
  const claims = await verifyClientJwt(object, client, await sandbox.now(), {
    audience: issuer.url,
    requiredClaims: ['exp'],
  });
  if (typeof claims === 'string') throw invalidObject(claims);
  const { sub, client_id: named = clientId, request, request_uri: uri } = claims;
  // A client assertion is not a request object (RFC 9101 section 10.8).
  if (sub === clientId) throw invalidObject('its sub is the client, as in a client assertion');
  if (named !== clientId) throw invalidObject('its client_id is not the client_id of the request');
  if (request !== undefined || uri !== undefined)
    throw invalidObject('it contains another request');
  const parameters = Object.entries(claims).filter(([name]) => !ownClaims.includes(name));
  const form = new Map(parameters.map(([name, value]) => [name, textOf(value)] as const));
  return form.set('client_id', clientId);
}

/** Numbers and objects, such as `max_age` and `claims`, are plain JSON; several resources are a list. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  return isList ? value.join(' ') : JSON.stringify(value);
}

function invalidObject(reason: string): RejectedRequest {
  return rejected(`The request object is invalid: ${reason}.`, 'invalid_request_object');
}

interface PushedRequest {
  readonly clientId: string;
  readonly text: string;
}

const pushedRequests: Space<PushedRequest> = { name: 'oidc-pushed-requests', maxKeys: 1000 };

/** Requests that got their responses. Stored as long as one of their pages may be open, because each step checks it. */
const completedRequests: Space<true> = { name: 'oidc-answered-requests', maxKeys: 1000 };

const scheme = 'urn:ietf:params:oauth:request_uri:';
export const pushedSeconds = 60;

export async function keepPushed(sandbox: Sandbox, client: Client, form: Form): Promise<string> {
  const { clientId } = client;
  const uri = scheme + randomText('opr');
  const text = new URLSearchParams([...form]).toString();
  await sandbox.update(pushedRequests, keyOf(uri), (_none, nowMs) => ({
    value: { clientId, text },
    expiresAtMs: nowMs + pushedSeconds * 1000,
    result: undefined,
  }));
  return uri;
}

/** Returns a request until it gets its response, and only to the client that pushed it. */
async function readPushed(
  sandbox: Sandbox,
  { clientId }: Client,
  uri: string,
): Promise<Form | undefined> {
  const kept = await sandbox.read(pushedRequests, keyOf(uri));
  return kept?.clientId === clientId ? readFormText(kept.text) : undefined;
}

async function hasResponse(sandbox: Sandbox, uri: string): Promise<boolean> {
  return (await sandbox.read(completedRequests, keyOf(uri))) !== undefined;
}

/** Uses up a request. Returns false if it was used before. */
export async function usePushed(sandbox: Sandbox, uri: string): Promise<boolean> {
  const key = keyOf(uri);
  return sandbox.transact((view) => {
    if (view.read(completedRequests, key) !== undefined) return false;
    view.write(pushedRequests, key, undefined);
    view.write(completedRequests, key, true, { expiresAtMs: view.nowMs + formMs });
    return true;
  });
}
