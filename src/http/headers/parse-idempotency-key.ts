/** Parses the header Idempotency-Key of draft-ietf-httpapi-idempotency-key-header. */

import { HttpError } from '../http-error.js';
import { repeatedHeader } from './header-values.js';

const maxLength = 255;

/** A string of structured fields (RFC 9651 section 3.3.3). Parameters after it are ignored. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"[ \t]*(?:;[\x20-\x7e]*)?$/;
/** The form that many clients send. */
const bare = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

/**
 * Returns the key without quotes; `undefined` if there is none. `values` are the values of all such headers. Throws 400
 * for an invalid key.
 */
export function parseIdempotencyKey(values: readonly string[]): string | undefined {
  const [value] = values;
  if (value === undefined) return undefined;
  if (values.length > 1) throw new HttpError(400, repeatedHeader('Idempotency-Key', values.length));
  const text = value.trim();
  const key = quoted.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? bare.exec(text)?.[0];
  if (key === undefined || key.length === 0 || key.length > maxLength) {
    throw new HttpError(
      400,
      `Idempotency-Key must be a string of 1 to ${maxLength} visible characters in double quotes, such as "8e03978e-40d5-43dd-bc93-6894a57f9324". Without quotes, it must not have commas, semicolons, quotes, backslashes or spaces.`,
    );
  }
  return key;
}
