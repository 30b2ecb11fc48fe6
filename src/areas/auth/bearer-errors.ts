/** Rejections of bearer tokens with the challenges of RFC 6750 section 3. */

import { quoted, unauthorized } from '../../http/credentials/challenge.js';
import { realm } from '../../http/credentials/realm.js';
import { HttpError } from '../../http/http-error.js';

export const bearerChallenge = `Bearer realm=${quoted(realm)}`;

/** For a request without a token: the challenge names no error (RFC 6750 section 3.1). */
export function missingToken(message: string): HttpError {
  return unauthorized(message, bearerChallenge);
}

/** For a token that does not count; `reason` is a sentence without the full stop. */
export function invalidToken(reason: string): HttpError {
  const challenge = `${bearerChallenge}, error="invalid_token", error_description=${quoted(reason)}`;
  return unauthorized(`${reason}.`, challenge);
}

/** 403 for a valid token that may not do this; `body` adds to the error shape. */
export function insufficientScope(
  reason: string,
  body: Readonly<Record<string, unknown>> = {},
): HttpError {
  const challenge = `${bearerChallenge}, error="insufficient_scope", error_description=${quoted(reason)}`;
  return new HttpError(403, `${reason}.`, { headers: { 'www-authenticate': challenge }, body });
}
