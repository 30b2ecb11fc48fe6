/** Parses the token of a bearer request (RFC 6750), and rejects insufficient tokens. */

import {
  bearerChallenge,
  invalidToken,
  quoted,
  unauthorized,
} from '#http/credentials/challenge.js';
import { parseAuthorization } from '#http/credentials/parse-authorization.js';
import type { Request } from '#http/exchange.js';
import { singleHeader } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';

const b64token = /^[\w.~+/-]+=*$/;

/** Does not verify the token. Throws 401 if the request has none. */
export function readBearerToken(request: Request): string {
  const header = singleHeader(request, 'authorization');
  if (header === undefined) throw missing('The Authorization header is missing.');
  const { scheme, credentials } = parseAuthorization(header);
  if (scheme !== 'bearer') {
    throw missing('The Authorization header does not begin with the word Bearer.');
  }
  if (credentials === '') throw missing('No token follows the word Bearer.');
  if (!b64token.test(credentials)) {
    throw invalidToken(
      'The token has a character that is not allowed: use letters, digits, - . _ ~ + / and = at the end',
    );
  }
  return credentials;
}

function missing(what: string): HttpError {
  const message = `${what} Send Authorization: Bearer followed by the token.`;
  return unauthorized(message, bearerChallenge);
}

/** Returns 403 for a valid token with too few rights; `body` adds to the error shape. */
export function insufficientScope(
  reason: string,
  body: Readonly<Record<string, unknown>> = {},
): HttpError {
  const challenge = `${bearerChallenge}, error="insufficient_scope", error_description=${quoted(reason)}`;
  return new HttpError(403, `${reason}.`, { headers: { 'www-authenticate': challenge }, body });
}
