/** Finds the parameters of an authorization request: in itself, pushed before (RFC 9126), or signed (RFC 9101). */

import type { Form } from '../../../http/oauth/form.js';
import type { Client } from '../clients/client.js';
import { verifyClientJwt } from '../clients/client-jwt.js';
import type { Signing } from '../exchange.js';
import { RejectedRequest, rejected } from '../rejected-request.js';
import { hasResponse, isPushedUri, readPushed } from './pushed-requests.js';

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
  if (!isPushedUri(uri)) {
    const message = 'request_uri must be one that was pushed here: no other address is fetched.';
    throw new RejectedRequest('request_uri_not_supported', message);
  }
  const pushed = await readPushed(sandbox, client, uri);
  if (pushed === undefined) throw usedUp();
  return pushed;
}

/** Takes a request that a page of ours brings along, and that was resolved before. */
export async function resumeRequest({ form, sandbox }: Sent): Promise<Form> {
  const uri = form.get('request_uri');
  if (uri !== undefined && (await hasResponse(sandbox, uri))) throw usedUp();
  return form;
}

export function usedUp(): RejectedRequest {
  return new RejectedRequest(
    'invalid_request_uri',
    'request_uri must be one that this client got in the last minute, and that has not been used.',
  );
}

/** As {@link resolveRequest}, of what is pushed. */
export async function resolveObject(sent: Sent, client: Client): Promise<Form> {
  const object = sent.form.get('request');
  if (object !== undefined) return readObject(object, client, sent);
  if (!client.mustSign) return sent.form;
  throw rejected('This client registered require_signed_request_object: send request.');
}

/** Claims about the JWT, which are no parameters. */
const ownClaims = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'sub'];

/** Returns the parameters of a request object, by value. */
async function readObject(
  object: string,
  client: Client,
  { sandbox, issuer }: Signing,
): Promise<Form> {
  const { clientId } = client;
  const claims = await verifyClientJwt(object, client, await sandbox.now(), {
    audience: issuer.url,
    requiredClaims: ['exp'],
  });
  if (typeof claims === 'string') throw invalidObject(claims);
  const { sub, client_id: named = clientId, request, request_uri: uri } = claims;
  // What a client authenticates by is no request (RFC 9101 section 10.8).
  if (sub === clientId) throw invalidObject('its sub is the client, as in a client assertion');
  if (named !== clientId) throw invalidObject('its client_id is not the client_id of the request');
  if (request !== undefined || uri !== undefined) throw invalidObject('it holds another request');
  const parameters = Object.entries(claims).filter(([name]) => !ownClaims.includes(name));
  const form = new Map(parameters.map(([name, value]) => [name, textOf(value)] as const));
  return form.set('client_id', clientId);
}

/** Numbers and objects, such as `max_age` and `claims`, are themselves in JSON; several resources are a list. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  return isList ? value.join(' ') : JSON.stringify(value);
}

function invalidObject(reason: string): RejectedRequest {
  return new RejectedRequest('invalid_request_object', `The request object is invalid: ${reason}.`);
}
