/** An authorization request as a JWT that the client signed: RFC 9101, by value. */

import type { Form } from '../../../http/oauth/form.js';
import type { Client } from '../clients/client.js';
import { verifyClientJwt } from '../clients/client-jwt.js';
import type { Signing } from '../exchange.js';
import { RejectedRequest } from '../rejected-request.js';

/** Claims about the JWT, which are no parameters. */
const ownClaims: ReadonlySet<string> = new Set(['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'sub']);

/** Returns its parameters. Throws {@link RejectedRequest}. */
export async function readRequestObject(
  object: string,
  client: Client,
  { sandbox, issuer }: Signing,
): Promise<Form> {
  const { clientId } = client;
  const claims = await verifyClientJwt(object, client, await sandbox.now(), {
    audience: issuer.url,
    requiredClaims: ['exp'],
  });
  if (typeof claims === 'string') throw invalid(claims);
  const { sub, client_id: named = clientId, request, request_uri: uri } = claims;
  // What a client authenticates by is no request (RFC 9101 section 10.8).
  if (sub === clientId) throw invalid('its sub is the client, as in a client assertion');
  if (named !== clientId) throw invalid('its client_id is not the client_id of the request');
  if (request !== undefined || uri !== undefined) throw invalid('it holds another request');
  const parameters = Object.entries(claims).filter(([name]) => !ownClaims.has(name));
  const form = new Map(parameters.map(([name, value]) => [name, textOf(value)] as const));
  return form.set('client_id', clientId);
}

/** Numbers and objects, such as `max_age` and `claims`, are themselves in JSON; several resources are a list. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  return isList ? value.join(' ') : JSON.stringify(value);
}

function invalid(reason: string): RejectedRequest {
  return new RejectedRequest('invalid_request_object', `The request object is invalid: ${reason}.`);
}
