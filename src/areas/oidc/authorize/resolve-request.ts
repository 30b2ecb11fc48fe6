/** Finds the parameters of an authorization request: in itself, pushed before (RFC 9126), or signed (RFC 9101). */

import type { Form } from '../../../http/oauth/form.js';
import type { Client } from '../clients/client.js';
import type { Signing } from '../exchange.js';
import { RejectedRequest } from '../rejected-request.js';
import { hasResponse, isPushedUri, readPushed } from './pushed-requests.js';
import { readRequestObject } from './request-object.js';

interface Sent extends Signing {
  readonly form: Form;
}

/** Ignores parameters beside a pushed or a signed request. Throws {@link RejectedRequest}. */
export async function resolveRequest(sent: Sent, client: Client): Promise<Form> {
  const { form, sandbox } = sent;
  const uri = form.get('request_uri');
  if (uri === undefined) {
    if (!client.mustPush) return resolveObject(sent, client);
    throw invalid(
      'This client registered require_pushed_authorization_requests: push the request.',
    );
  }
  if (form.has('request')) throw invalid('Send request or request_uri, not both.');
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
  if (object !== undefined) return readRequestObject(object, client, sent);
  if (!client.mustSign) return sent.form;
  throw invalid('This client registered require_signed_request_object: send request.');
}

function invalid(message: string): RejectedRequest {
  return new RejectedRequest('invalid_request', message);
}
