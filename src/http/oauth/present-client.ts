/** Parses the client's credentials: Basic, or parameters of the form (RFC 6749 section 2.3.1). */

import { isFault } from '../credentials/fault.js';
import { parseBasic } from '../credentials/parse-basic.js';
import type { UserCredentials } from '../credentials/user-credentials.js';
import type { Request } from '../exchange.js';
import { headerValues, repeatedHeader } from '../headers/header-values.js';
import { decodeFormText, type Form } from './form.js';
import { invalidRequest, OAuthError } from './oauth-error.js';

export interface PresentedClient {
  readonly clientId: string | undefined;
  readonly secret: string | undefined;
  readonly isBasic: boolean;
  /** Basic credentials without form-url-decoding, if they differ. */
  readonly unencoded?: UserCredentials;
}

/** Verifies nothing. Throws {@link OAuthError} if credentials are malformed or sent twice. */
export function presentedClient(request: Request, form: Form): PresentedClient {
  const headers = headerValues(request, 'authorization');
  const [header] = headers;
  if (headers.length > 1) {
    throw invalidRequest(repeatedHeader('authorization', headers.length));
  }
  if (header !== undefined) return fromHeader(header, form);
  return { clientId: form.get('client_id'), secret: form.get('client_secret'), isBasic: false };
}

function fromHeader(header: string, form: Form): PresentedClient {
  if (form.has('client_secret')) {
    throw invalidRequest(
      'The client sent credentials twice, in Basic and in the form. Use only one.',
    );
  }
  const given = parseBasic(header);
  if (isFault(given)) throw new OAuthError('invalid_client', given.fault);
  const clientId = decodeFormText(given.username);
  const secret = decodeFormText(given.password);
  if (clientId === undefined || secret === undefined) {
    throw new OAuthError(
      'invalid_client',
      'Form-url-encode client id and secret before base64: each percent sign must be followed by two hex digits of UTF-8.',
    );
  }
  const named = form.get('client_id');
  if (named !== undefined && named !== clientId) {
    throw invalidRequest('The client_id in the form must equal the one in Basic.');
  }
  const isSame = given.password === secret && given.username === clientId;
  return { clientId, secret, isBasic: true, ...(!isSame && { unencoded: given }) };
}

/** Makes the error for an unknown client or a wrong secret. */
export function wrongClient(): OAuthError {
  return new OAuthError('invalid_client', 'The client id or the client secret is wrong.');
}

/**
 * Makes the error for credentials that are right except for the form-url-encoding before base64
 * (RFC 6749 section 2.3.1).
 */
export function unencodedClient(): OAuthError {
  return new OAuthError(
    'invalid_client',
    'Client id and secret were not form-url-encoded before base64: send + as %2B and % as %25 (RFC 6749 section 2.3.1).',
  );
}
