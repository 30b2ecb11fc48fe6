/** The token of a bearer request (RFC 6750), and what is said of one that does not suffice. */

import {
  bearerChallenge,
  invalidToken,
  quoted,
  unauthorized,
} from '../../http/credentials/challenge.js';
import { parseAuthorization } from '../../http/credentials/parse-authorization.js';
import type { Request } from '../../http/exchange.js';
import { singleHeader } from '../../http/headers/header-values.js';
import { HttpError } from '../../http/http-error.js';

const b64token = /^[\w.~+/-]+=*$/;

/** Nothing about the token has been verified. Throws 401 where there is none. */
export function readBearerToken(request: Request): string {
  const header = singleHeader(request, 'authorization');
  if (header === undefined) throw missing('There is no Authorization header.');
  const { scheme, credentials } = parseAuthorization(header);
  if (scheme !== 'bearer') {
    throw missing('The Authorization header does not begin with the word Bearer.');
  }
  if (credentials === '') throw missing('No token follows the word Bearer.');
  if (!b64token.test(credentials)) {
    throw invalidToken(
      'The token holds a character that bearer tokens cannot have: they are letters, digits, - . _ ~ + / and = at the end',
    );
  }
  return credentials;
}

function missing(what: string): HttpError {
  const message = `${what} Send Authorization: Bearer followed by the token.`;
  return unauthorized(message, bearerChallenge);
}

/** 403 for a valid token that may not do this; `body` adds to the error shape. */
export function insufficientScope(
  reason: string,
  body: Readonly<Record<string, unknown>> = {},
): HttpError {
  const challenge = `${bearerChallenge}, error="insufficient_scope", error_description=${quoted(reason)}`;
  return new HttpError(403, `${reason}.`, { headers: { 'www-authenticate': challenge }, body });
}
