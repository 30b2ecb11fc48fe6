/** The endpoint for pushed authorization requests: RFC 9126 section 2. */

import type { Form } from '../../../http/credentials/oauth-form.js';
import type { Reply, Request } from '../../../http/exchange.js';
import type { Services } from '../../../kit/area.js';
import type { App } from '../../../kit/endpoint.js';
import { authenticateClient } from '../clients/authenticate-client.js';
import type { Client } from '../clients/client.js';
import type { Proofs } from '../dpop/proofs.js';
import { type Issuer, issuerOf, paths } from '../issuer.js';
import { askedConduct } from '../misbehaviour/conduct.js';
import { noStore, oauthError } from '../oauth-error.js';
import { formParameters } from '../read-parameters.js';
import { targetFault } from '../resource/targets.js';
import * as schemas from '../token/token-schemas.js';
import {
  RejectedRequest,
  readAuthorizationRequest,
  readResponsePlace,
  UntrustedRequest,
} from './authorization-request.js';
import { keepPushed, pushedSeconds } from './pushed-requests.js';
import { resolveObject } from './resolve-request.js';

/** What proves the client, and is no part of its request. */
const ofClient: ReadonlySet<string> = new Set([
  'client_secret',
  'client_assertion',
  'client_assertion_type',
]);

export function addPushedRequests(app: App, services: Services, proofs: Proofs): void {
  const { certificates } = services;
  async function push(request: Request, reply: Reply) {
    reply.headers(noStore);
    const form = await formParameters(request);
    const sandbox = services.sandboxOf(request);
    const issuer = issuerOf(services, request);
    const client = await authenticateClient(request, form, { sandbox, issuer, certificates });
    if (form.has('request_uri')) {
      throw oauthError('invalid_request', 'A pushed request has no request_uri.');
    }
    const proved = await proofs.atEndpoint(request, reply, sandbox, issuer.reached('par'));
    const own = new Map([...form].filter(([name]) => !ofClient.has(name)));
    own.set('client_id', client.clientId);
    const wanted = await toldAsJson(async () => {
      const resolved = await resolveObject(own, client, sandbox, issuer);
      const bound = proved === undefined ? resolved : boundTo(resolved, proved.jkt);
      check(bound, client, issuer);
      askedConduct(request, bound);
      return bound;
    });
    const uri = await keepPushed(sandbox, client, wanted);
    return reply.code(201).send({ request_uri: uri, expires_in: pushedSeconds });
  }

  app.post(paths.par, { schema: schemas.push }, push);
}

/** A proof has the effect of `dpop_jkt` (RFC 9449 section 10.1). */
function boundTo(form: Form, jkt: string): Form {
  if ((form.get('dpop_jkt') ?? jkt) !== jkt) {
    throw new RejectedRequest(
      'invalid_dpop_proof',
      'The DPoP proof is by another key than that of dpop_jkt.',
    );
  }
  return new Map(form).set('dpop_jkt', jkt);
}

function check(form: Form, client: Client, issuer: Issuer): void {
  const place = readResponsePlace(form, client);
  const fault = targetFault(form, issuer);
  if (fault !== undefined) throw new RejectedRequest('invalid_target', fault);
  readAuthorizationRequest(form, client, place);
}

async function toldAsJson<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RejectedRequest || error instanceof UntrustedRequest) {
      throw oauthError(error.code, error.message);
    }
    throw error;
  }
}
