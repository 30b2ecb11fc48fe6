/** Client authentication: RFC 6749 section 2.3, assertions of RFC 7523 section 2.2, certificates of RFC 8705. */

import { isSameSecret } from '../../../http/credentials/is-same-secret.js';
import { headerValues } from '../../../http/headers/header-values.js';
import type { Form } from '../../../http/oauth/form.js';
import { noStore, OAuthError } from '../../../http/oauth/oauth-error.js';
import {
  type PresentedClient,
  presentedClient,
  wrongClient,
} from '../../../http/oauth/present-client.js';
import { type Exchange, formOf } from '../exchange.js';
import { type AuthMethod, type Client, wrongMethod } from './client.js';
import { assertionType, verifyAssertion } from './client-assertion.js';
import { checkCertificate } from './client-certificate.js';
import { findClient } from './find-client.js';

/** Reads the form of a request whose client authenticates. The response must not be stored. */
export async function readClientForm(at: Exchange): Promise<{ form: Form; client: Client }> {
  at.reply.headers(noStore);
  const form = await formOf(at);
  return { form, client: await authenticateClient(at, form) };
}

/** Returns the client that a request comes from. Throws {@link OAuthError}. */
export async function authenticateClient(at: Exchange, form: Form): Promise<Client> {
  const { request, sandbox, services } = at;
  if (form.has('client_assertion')) {
    rejectSecondWay(at, form);
    return verifyAssertion(form, at);
  }
  if (form.has('client_assertion_type')) {
    const message = 'There is a client_assertion_type without an assertion.';
    throw new OAuthError('invalid_request', message);
  }
  const presented = presentedClient(request, form);
  const { clientId, secret } = presented;
  if (clientId === undefined) {
    throw new OAuthError(
      'invalid_client',
      'The client does not say who it is. Send Authorization: Basic with client id and secret, or client_id in the form.',
    );
  }
  const client = await findClient(sandbox, clientId);
  const isRight = isSameSecret(secret ?? '', client?.secret ?? '');
  if (client === undefined) throw wrongClient();
  const method = methodOf(presented);
  if (method === 'none' && client.certificate !== undefined) {
    await checkCertificate(request, services.certificates, client.certificate);
    return client;
  }
  if (!client.authMethods.includes(method)) throw wrongMethod(client);
  if (method !== 'none' && !isRight) throw wrongClient();
  return client;
}

/** RFC 6749 section 2.3: one way in each request. */
function rejectSecondWay({ request }: Exchange, form: Form): void {
  if (headerValues(request, 'authorization').length === 0 && !form.has('client_secret')) return;
  throw new OAuthError(
    'invalid_request',
    `The client authenticates in more than one way. Send ${assertionType} or a secret, not both.`,
  );
}

function methodOf({ isBasic, secret }: PresentedClient): AuthMethod {
  if (isBasic) return 'client_secret_basic';
  return secret === undefined ? 'none' : 'client_secret_post';
}
