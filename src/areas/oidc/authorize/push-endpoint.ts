/** The endpoint for pushed authorization requests: RFC 9126 section 2. */

import type { Reply } from '../../../http/exchange.js';
import type { Form } from '../../../http/oauth/form.js';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import { readClientForm } from '../clients/authenticate-client.js';
import type { Exchange } from '../exchange.js';
import { requestedMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { RejectedRequest } from '../rejected-request.js';
import { readAuthorizationRequest, readResponsePlace } from './authorization-request.js';
import { keepPushed, pushedSeconds } from './pushed-requests.js';
import { resolveObject } from './resolve-request.js';

/** Parameters that prove the client, and are no part of its request. */
const ofClient: ReadonlySet<string> = new Set([
  'client_secret',
  'client_assertion',
  'client_assertion_type',
]);

export async function pushRequest(at: Exchange): Promise<Reply> {
  const { request, reply, sandbox, issuer, proofs } = at;
  const { form, client } = await readClientForm(at);
  if (form.has('request_uri')) {
    throw new OAuthError('invalid_request', 'A pushed request has no request_uri.');
  }
  const proved = await proofs.read(at, issuer.reached('par'));
  const own = new Map([...form].filter(([name]) => !ofClient.has(name)));
  own.set('client_id', client.clientId);
  const resolved = await resolveObject({ ...at, form: own }, client);
  const wanted = proved === undefined ? resolved : boundTo(resolved, proved.jkt);
  readAuthorizationRequest(wanted, client, readResponsePlace(wanted, client), issuer);
  requestedMisbehaviour(request, wanted);
  const uri = await keepPushed(sandbox, client, wanted);
  return reply.code(201).send({ request_uri: uri, expires_in: pushedSeconds });
}

/** A proof has the effect of `dpop_jkt` (RFC 9449 section 10.1). */
function boundTo(form: Form, jkt: string): Form {
  if ((form.get('dpop_jkt') ?? jkt) === jkt) return new Map(form).set('dpop_jkt', jkt);
  const message = 'The DPoP proof is by another key than that of dpop_jkt.';
  throw new RejectedRequest('invalid_dpop_proof', message);
}
