/** A JWT by which a client authenticates: RFC 7523 section 3, with the client's secret or its registered keys. */

import type { Form } from '../../../http/oauth/form.js';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import type { Signing } from '../exchange.js';
import { type Client, wrongMethod } from './client.js';
import { isFirstUse, unverifiedClaim, verifyClientJwt } from './client-jwt.js';
import { findClient } from './find-client.js';

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export async function verifyAssertion(
  form: Form,
  { sandbox, issuer }: Pick<Signing, 'sandbox' | 'issuer'>,
): Promise<Client> {
  if (form.get('client_assertion_type') !== assertionType) {
    throw new OAuthError('invalid_request', `The client_assertion_type must be ${assertionType}.`);
  }
  const assertion = form.get('client_assertion') ?? '';
  const clientId = await unverifiedClaim(assertion, 'sub');
  if (clientId === undefined) throw rejected('it is no JWT with a sub');
  const named = form.get('client_id');
  if (named !== undefined && named !== clientId) {
    const message = 'The client_id in the form is not the sub of the assertion.';
    throw new OAuthError('invalid_request', message);
  }
  const client = await findClient(sandbox, clientId);
  if (client === undefined) throw rejected('its sub is no client');
  const claims = await verifyClientJwt(assertion, signerOf(client), await sandbox.now(), {
    subject: clientId,
    audience: [issuer.url, issuer.at('token'), issuer.at('par')],
    requiredClaims: ['exp', 'jti'],
  });
  if (typeof claims === 'string') throw rejected(claims);
  if (!(await isFirstUse(sandbox, clientId, claims))) throw rejected('its jti was used before');
  return client;
}

/** Returns what the client may sign an assertion with. */
function signerOf(client: Client): Pick<Client, 'clientId' | 'jwks' | 'secret'> {
  const { clientId, secret, jwks, authMethods } = client;
  const signs = {
    ...(authMethods.includes('private_key_jwt') && jwks !== undefined && { jwks }),
    ...(authMethods.includes('client_secret_jwt') && secret !== undefined && { secret }),
  };
  if (Object.keys(signs).length === 0) throw wrongMethod(client);
  return { clientId, ...signs };
}

function rejected(reason: string): OAuthError {
  return new OAuthError('invalid_client', `The client_assertion is invalid: ${reason}.`);
}
