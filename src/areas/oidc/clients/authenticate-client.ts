/** Client authentication: RFC 6749 section 2.3, assertions of RFC 7523 section 2.2, certificates of RFC 8705. */

import { isFault } from '../../../http/credentials/fault.js';
import { isSameSecret } from '../../../http/credentials/is-same-secret.js';
import { decodeFormText, type Form } from '../../../http/credentials/oauth-form.js';
import { parseBasic } from '../../../http/credentials/parse-basic.js';
import type { Request } from '../../../http/exchange.js';
import { headerValues, repeatedHeader } from '../../../http/header-values.js';
import type { CertificateAuthority } from '../../../kit/certificates/certificate-authority.js';
import type { Sandbox } from '../../../state/state.js';
import type { Issuer } from '../issuer.js';
import { oauthError } from '../oauth-error.js';
import type { AuthMethod, Client } from './client.js';
import { assertionType, verifyAssertion } from './client-assertion.js';
import { checkCertificate } from './client-certificate.js';
import { findClient } from './find-client.js';

interface At {
  readonly sandbox: Sandbox;
  readonly issuer: Issuer;
  readonly certificates: CertificateAuthority | undefined;
}

interface Presented {
  readonly method: AuthMethod;
  readonly clientId: string;
  readonly secret?: string;
}

/** The client that a request comes from. Throws the OAuth error of anything else. */
export async function authenticateClient(
  request: Request,
  form: Form,
  { sandbox, issuer, certificates }: At,
): Promise<Client> {
  if (form.has('client_assertion')) {
    rejectSecondWay(request, form);
    return verifyAssertion(form, sandbox, issuer);
  }
  if (form.has('client_assertion_type')) {
    throw oauthError('invalid_request', 'There is a client_assertion_type without an assertion.');
  }
  const presented = present(headerValues(request, 'authorization'), form);
  const client = await findClient(sandbox, presented.clientId);
  const isRight = isSameSecret(presented.secret ?? '', client?.secret ?? '');
  if (client === undefined) throw wrongSecret();
  if (presented.method === 'none' && client.certificate !== undefined) {
    await checkCertificate(request, certificates, client.certificate);
    return client;
  }
  if (!client.authMethods.includes(presented.method)) throw wrongMethod(client);
  if (presented.method !== 'none' && !isRight) throw wrongSecret();
  return client;
}

export function wrongMethod({ authMethods }: Client): Error {
  return oauthError('invalid_client', `This client authenticates by ${authMethods.join(' or ')}.`);
}

function wrongSecret(): Error {
  return oauthError('invalid_client', 'The client id or the client secret is wrong.');
}

/** RFC 6749 section 2.3: one way in each request. */
function rejectSecondWay(request: Request, form: Form): void {
  if (headerValues(request, 'authorization').length === 0 && !form.has('client_secret')) return;
  throw oauthError(
    'invalid_request',
    `The client authenticates in more than one way. Send ${assertionType} or a secret, not both.`,
  );
}

function present(headers: readonly string[], form: Form): Presented {
  if (headers.length > 1) {
    throw oauthError('invalid_request', repeatedHeader('authorization', headers.length));
  }
  if (headers[0] !== undefined) return fromHeader(headers[0], form);
  const clientId = form.get('client_id');
  const secret = form.get('client_secret');
  if (clientId === undefined) {
    throw oauthError(
      'invalid_client',
      'The client does not say who it is. Send Authorization: Basic with client id and secret, or client_id in the form.',
    );
  }
  if (secret === undefined) return { method: 'none', clientId };
  return { method: 'client_secret_post', clientId, secret };
}

function fromHeader(header: string, form: Form): Presented {
  if (form.has('client_secret')) {
    throw oauthError(
      'invalid_request',
      'The client authenticates twice, by Basic and in the form. Use one of them.',
    );
  }
  const given = parseBasic(header);
  if (isFault(given)) throw oauthError('invalid_client', given.fault);
  const clientId = decodeFormText(given.username);
  const secret = decodeFormText(given.password);
  if (clientId === undefined || secret === undefined) {
    throw oauthError(
      'invalid_client',
      'Client id and secret must be form-url-encoded before base64: a percent sign in them must be followed by two hex digits of UTF-8.',
    );
  }
  const named = form.get('client_id');
  if (named !== undefined && named !== clientId) {
    throw oauthError('invalid_request', 'The client_id in the form must be the one in Basic.');
  }
  return { method: 'client_secret_basic', clientId, secret };
}
