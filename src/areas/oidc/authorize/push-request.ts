/** The endpoint for pushed authorization requests: RFC 9126 section 2. */

import { Type } from 'typebox';
import type { Form } from '#http/oauth/form.js';
import { invalidRequest, rejected } from '#http/oauth/oauth-error.js';
import { anyForm, oauthRejections } from '#kit/describe/oauth-schemas.js';
import { readClientForm } from '../clients/authenticate-client.js';
import { provedKey } from '../clients/dpop.js';
import { issuerEndpoint } from '../exchange.js';
import { forClients, provedHeaders, text } from '../messages/schemas.js';
import { requestedMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { offersOf } from '../model/scopes.js';
import { readAuthorizationRequest, readResponsePlace } from './authorization-request.js';
import { keepPushed, pushedSeconds, resolveObject } from './resolve-request.js';

/** Parameters that authenticate the client, and are not part of its request. */
const ofClient = ['client_secret', 'client_assertion', 'client_assertion_type'];

export const pushRequest = issuerEndpoint('POST', 'par', {
  summary: 'Push the parameters of an authorization request',
  description:
    'RFC 9126. The request_uri works once, within a minute, at the authorization endpoint.',
  security: forClients.security,
  bodies: anyForm.body,
  responses: {
    201: Type.Object({ request_uri: text, expires_in: Type.Integer() }),
    ...oauthRejections,
  },
  responseHeaders: { 201: provedHeaders[200], 400: provedHeaders[400], 401: provedHeaders[401] },
  async handle(at) {
    const { request, reply, sandbox } = at;
    const { form, client } = await readClientForm(at);
    if (form.has('request_uri'))
      throw invalidRequest('A pushed request must not have a request_uri.');
    const proved = await provedKey(at, 'par');
    const own = new Map([...form].filter(([name]) => !ofClient.includes(name)));
    own.set('client_id', client.clientId);
    const resolved = await resolveObject({ ...at, form: own }, client);
    const wanted = proved === undefined ? resolved : boundTo(resolved, proved.jkt);
    const responseTarget = readResponsePlace(wanted, client, at.issuer);
    readAuthorizationRequest(wanted, client, responseTarget, await offersOf(at, client));
    requestedMisbehaviour(request, wanted);
    const uri = await keepPushed(sandbox, client, wanted);
    return reply.code(201).send({ request_uri: uri, expires_in: pushedSeconds });
  },
});

/** A DPoP proof has the same effect as `dpop_jkt` (RFC 9449 section 10.1). */
function boundTo(form: Form, jkt: string): Form {
  if ((form.get('dpop_jkt') ?? jkt) === jkt) return new Map(form).set('dpop_jkt', jkt);
  throw rejected('The key of the DPoP proof differs from dpop_jkt.', 'invalid_dpop_proof');
}
