/** Reads the account key from the header X-Service-Key. */

import type { IncomingMessage } from 'node:http';
import { type AccountKey, accountKeyLength, parseAccountKey } from '#accounts/account-key.js';
import type { Request } from '#http/exchange.js';
import { headerValues, repeatedHeader } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';
import type { SecurityScheme } from './area.js';

const header = 'x-service-key';

export const serviceKeyName = 'serviceKey';

export const serviceKeyScheme: SecurityScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Service-Key',
  description: 'The key of an account.',
};

const howToGetOne = 'POST /api/accounts or the page /account creates an account with a key.';

/** Throws 401 for a missing or malformed key, 400 for several. */
export function readServiceKey(request: Request): AccountKey {
  const sent = request.raw.headers[header];
  if (sent === undefined) {
    throw unauthorized(`Send your account key in the header X-Service-Key. ${howToGetOne}`);
  }
  const key = parseAccountKey(String(sent));
  if (key !== undefined) return key;
  const { length } = headerValues(request, header);
  if (length > 1) throw new HttpError(400, repeatedHeader('X-Service-Key', length));
  throw unauthorized(
    `X-Service-Key is malformed or incomplete: keys begin with psk_ and have ${accountKeyLength} characters. ${howToGetOne}`,
  );
}

/** Returns `undefined` for a request without a key. */
export function sentServiceKey({ headers }: IncomingMessage): AccountKey | 'malformed' | undefined {
  const sent = headers[header];
  return sent === undefined ? undefined : (parseAccountKey(String(sent)) ?? 'malformed');
}

export function unknownServiceKey(): HttpError {
  return unauthorized(
    `The key in X-Service-Key is invalid: it was rotated, or its account was deleted or has expired. ${howToGetOne}`,
  );
}

/**
 * RFC 9110 section 15.5.2 requires a challenge; there is no registered scheme for such keys, and
 * browsers ignore this one.
 */
function unauthorized(message: string): HttpError {
  return new HttpError(401, message, {
    headers: { 'www-authenticate': 'ServiceKey realm="Practice API"' },
  });
}
