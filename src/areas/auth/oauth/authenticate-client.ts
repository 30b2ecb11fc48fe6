/** Client authentication (RFC 6749 section 2.3.1): Basic, or both credentials in the form. */

import { isFault } from '../../../http/credentials/fault.js';
import { isSameUser } from '../../../http/credentials/is-same-user.js';
import { decodeFormText, type Form } from '../../../http/credentials/oauth-form.js';
import { parseBasic } from '../../../http/credentials/parse-basic.js';
import type { UserCredentials } from '../../../http/credentials/user-credentials.js';
import { repeatedHeader } from '../../../http/header-values.js';
import { oauthError } from './oauth-error.js';

/** The client's id; throws the OAuth error of anything else. `headers` are all of Authorization. */
export function authenticateClient(
  headers: readonly string[],
  form: Form,
  client: UserCredentials,
): string {
  if (headers.length > 1) {
    throw oauthError('invalid_request', repeatedHeader('authorization', headers.length));
  }
  const given = headers[0] === undefined ? fromForm(form) : fromHeader(headers[0], form);
  if (!isSameUser(given, client)) {
    throw oauthError('invalid_client', 'The client id or the client secret is wrong.');
  }
  return client.username;
}

function fromForm(form: Form): UserCredentials {
  const id = form.get('client_id');
  const secret = form.get('client_secret');
  if (id === undefined && secret === undefined) {
    throw oauthError(
      'invalid_client',
      'The client did not authenticate. Send Authorization: Basic with client id and secret, or client_id and client_secret in the form.',
    );
  }
  if (id === undefined || secret === undefined) {
    throw oauthError(
      'invalid_client',
      'The form holds only one of client_id and client_secret. Send both, or use Basic.',
    );
  }
  return { username: id, password: secret };
}

function fromHeader(header: string, form: Form): UserCredentials {
  if (form.has('client_secret')) {
    throw oauthError(
      'invalid_request',
      'The client authenticates twice, by Basic and in the form. Use one of them.',
    );
  }
  const given = parseBasic(header);
  if (isFault(given)) throw oauthError('invalid_client', given.fault);
  const username = decodeFormText(given.username);
  const password = decodeFormText(given.password);
  if (username === undefined || password === undefined) {
    throw oauthError(
      'invalid_client',
      'Client id and secret must be form-url-encoded before base64: a percent sign in them must be followed by two hex digits of UTF-8.',
    );
  }
  const named = form.get('client_id');
  if (named !== undefined && named !== username) {
    throw oauthError('invalid_request', 'The client_id in the form must be the one in Basic.');
  }
  return { username, password };
}
