/** Rejects with a challenge: WWW-Authenticate of RFC 9110 section 11.6.1. */

import { HttpError } from '../http-error.js';

/** The protection space of every challenge (RFC 9110 section 11.5). */
export const realm = 'Practice API';

/**
 * Writes a text as a quoted-string (RFC 9110 section 5.6.4) with the characters that RFC 6750
 * section 3 allows.
 */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', "'").replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?')}"`;
}

/**
 * Makes a 401. Several challenges become one header each, because many clients cannot split a
 * joined header.
 */
export function unauthorized(message: string, challenge: string | string[]): HttpError {
  return new HttpError(401, message, { headers: { 'www-authenticate': challenge } });
}

/** The challenge to a request without a bearer token (RFC 6750 section 3.1). */
export const bearerChallenge = `Bearer realm=${quoted(realm)}`;

/** Makes the 401 of an invalid bearer token; `reason` is a sentence without the full stop. */
export function invalidToken(reason: string): HttpError {
  const challenge = `${bearerChallenge}, error="invalid_token", error_description=${quoted(reason)}`;
  return unauthorized(`${reason}.`, challenge);
}

/** The challenge of endpoints with Basic authentication (RFC 7617 section 2). */
export const basicChallenge = `Basic realm=${quoted(realm)}, charset="UTF-8"`;
