/** Client authentication: RFC 6749 section 2.3, assertions of RFC 7523 section 2.2, certificates of RFC 8705. */

import { isSameSecret } from '#http/credentials/is-same-secret.js';
import type { UserCredentials } from '#http/credentials/user-credentials.js';
import { headerValues } from '#http/headers/header-values.js';
import { type Form, needed } from '#http/oauth/form.js';
import { invalidRequest, noStore, OAuthError } from '#http/oauth/oauth-error.js';
import { presentedClient, unencodedClient, wrongClient } from '#http/oauth/present-client.js';
import { type Exchange, formOf } from '../exchange.js';
import type { AuthMethod, Client } from '../model/client.js';
import { findClient } from '../model/find-client.js';
import { checkCertificate } from './client-certificate.js';
import { isFirstUse, unverifiedClaim, verifyClientJwt } from './client-jwt.js';

/** Parses the form of a request, and authenticates the client. The response must not be stored. */
export async function readClientForm(at: Exchange): Promise<{ form: Form; client: Client }> {
  at.reply.headers(noStore);
  const form = await formOf(at);
  return { form, client: await authenticateClient(at, form) };
}

export async function authenticateClient(at: Exchange, form: Form): Promise<Client> {
  const { request, sandbox } = at;
  if (form.has('client_assertion')) return verifyAssertion(at, form);
  if (form.has('client_assertion_type')) {
    throw invalidRequest('The form has a client_assertion_type without a client_assertion.');
  }
  const { clientId, secret, isBasic, unencoded } = presentedClient(request, form);
  if (clientId === undefined) {
    throw invalidClient(
      'The client is not identified. Send Authorization: Basic with client id and secret, or client_id in the form.',
    );
  }
  const client = await findClient(sandbox, clientId);
  const isRight = isSameSecret(secret ?? '', client?.secret ?? '');
  if (client === undefined) throw await wrongSecret(at, unencoded);
  const bySecret = isBasic ? 'client_secret_basic' : 'client_secret_post';
  const method: AuthMethod = secret === undefined ? 'none' : bySecret;
  if (method === 'none' && client.certificate !== undefined) {
    await checkCertificate(at, client.certificate);
    return client;
  }
  if (!client.authMethods.includes(method)) throw wrongMethod(client);
  if (method === 'none' || isRight) return client;
  throw await wrongSecret(at, unencoded);
}

/** Names the common mistake that explains wrong credentials, if there is one. */
async function wrongSecret(
  { sandbox }: Exchange,
  unencoded: UserCredentials | undefined,
): Promise<OAuthError> {
  if (unencoded === undefined) return wrongClient();
  const { secret } = (await findClient(sandbox, unencoded.username)) ?? {};
  const isMistake = secret !== undefined && isSameSecret(unencoded.password, secret);
  return isMistake ? unencodedClient() : wrongClient();
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Verifies an assertion (RFC 7523 section 3) with the client's secret or its registered keys. */
async function verifyAssertion(at: Exchange, form: Form): Promise<Client> {
  const { request, sandbox, issuer } = at;
  // RFC 6749 section 2.3 allows only one method in each request.
  if (headerValues(request, 'authorization').length > 0 || form.has('client_secret')) {
    throw invalidRequest(
      `The client uses several authentication methods. Send ${assertionType} or a secret, not both.`,
    );
  }
  if (form.get('client_assertion_type') !== assertionType) {
    throw invalidRequest(`The client_assertion_type must be ${assertionType}.`);
  }
  const assertion = needed(form, 'client_assertion');
  const clientId = await unverifiedClaim(assertion, 'sub');
  if (clientId === undefined) throw invalidAssertion('it is not a JWT with a sub');
  if ((form.get('client_id') ?? clientId) !== clientId) {
    throw invalidRequest('The client_id in the form is not the sub of the assertion.');
  }
  const client = await findClient(sandbox, clientId);
  if (client === undefined) throw invalidAssertion('its sub is not a client');
  const claims = await verifyClientJwt(assertion, signerOf(client), await sandbox.now(), {
    subject: clientId,
    audience: [issuer.url, issuer.at('token'), issuer.at('par')],
    requiredClaims: ['exp', 'jti'],
  });
  if (typeof claims === 'string') throw invalidAssertion(claims);
  if (await isFirstUse(sandbox, clientId, claims)) return client;
  throw invalidAssertion('its jti was already used');
}

function signerOf(client: Client): Pick<Client, 'clientId' | 'jwks' | 'secret'> {
  const { clientId, authMethods } = client;
  const jwks = authMethods.includes('private_key_jwt') ? client.jwks : undefined;
  const secret = authMethods.includes('client_secret_jwt') ? client.secret : undefined;
  if (jwks === undefined && secret === undefined) throw wrongMethod(client);
  return { clientId, jwks, secret };
}

function invalidClient(message: string): OAuthError {
  return new OAuthError('invalid_client', message);
}

function wrongMethod({ authMethods }: Client): OAuthError {
  return invalidClient(`This client authenticates with ${authMethods.join(' or ')}.`);
}

function invalidAssertion(reason: string): OAuthError {
  return invalidClient(`The client_assertion is invalid: ${reason}.`);
}
