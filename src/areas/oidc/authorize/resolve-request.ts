/** Where the parameters of an authorization request are: in itself, pushed before (RFC 9126), or signed (RFC 9101). */

import type { Form } from '../../../http/credentials/oauth-form.js';
import type { Sandbox } from '../../../state/state.js';
import type { Client } from '../clients/client.js';
import type { Issuer } from '../issuer.js';
import { RejectedRequest } from './authorization-request.js';
import { hasResponse, isPushedUri, readPushed } from './pushed-requests.js';
import { readRequestObject } from './request-object.js';

/** Parameters beside a pushed or a signed request do not count. Throws {@link RejectedRequest}. */
export async function resolveRequest(
  form: Form,
  client: Client,
  sandbox: Sandbox,
  issuer: Issuer,
): Promise<Form> {
  const uri = form.get('request_uri');
  if (uri === undefined) {
    if (!client.mustPush) return resolveObject(form, client, sandbox, issuer);
    const message =
      'This client registered require_pushed_authorization_requests: push the request.';
    throw new RejectedRequest('invalid_request', message);
  }
  if (form.has('request')) {
    throw new RejectedRequest('invalid_request', 'Send request or request_uri, not both.');
  }
  if (!isPushedUri(uri)) {
    const message = 'request_uri must be one that was pushed here: no other address is fetched.';
    throw new RejectedRequest('request_uri_not_supported', message);
  }
  const pushed = await readPushed(sandbox, client, uri);
  if (pushed === undefined) throw usedUp();
  return pushed;
}

/** A request that a page of ours brings along was resolved before; `pushedAs` is the address that it was pushed under. */
export async function resumeRequest(
  form: Form,
  sandbox: Sandbox,
  pushedAs: string | undefined,
): Promise<Form> {
  if (pushedAs !== undefined && (await hasResponse(sandbox, pushedAs))) throw usedUp();
  return form;
}

export function usedUp(): RejectedRequest {
  return new RejectedRequest(
    'invalid_request_uri',
    'request_uri must be one that this client got in the last minute, and that has not been used.',
  );
}

/** As {@link resolveRequest}, of what is pushed. */
export async function resolveObject(
  form: Form,
  client: Client,
  sandbox: Sandbox,
  issuer: Issuer,
): Promise<Form> {
  const object = form.get('request');
  if (object !== undefined) {
    return readRequestObject(object, client, issuer, await sandbox.now());
  }
  if (!client.mustSign) return form;
  const message = 'This client registered require_signed_request_object: send request.';
  throw new RejectedRequest('invalid_request', message);
}
