/** The key of an account in a request: the header X-Service-Key, and the refusals it can meet. */

import type { IncomingMessage } from 'node:http';
import { type AccountKey, accountKeyLength, parseAccountKey } from '../accounts/account-key.js';
import type { Request } from '../http/exchange.js';
import { headerValues, repeatedHeader } from '../http/headers/header-values.js';
import { HttpError } from '../http/http-error.js';
import type { SecurityScheme } from './area.js';

const header = 'x-service-key';

/** As the API description names the scheme. */
export const serviceKeyName = 'serviceKey';

export const serviceKeyScheme: SecurityScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Service-Key',
  description: 'The key of an account.',
};

const howToGetOne =
  'POST /api/accounts creates an account and returns its key; so does the page /account.';

/** Throws 401 without a key and for what cannot be one, 400 when there are several. */
export function readServiceKey(request: Request): AccountKey {
  const sent = request.raw.headers[header];
  if (sent === undefined) {
    throw unauthorized(`Send the key of an account in the header X-Service-Key. ${howToGetOne}`);
  }
  // Several arrive joined by a comma, which no key has.
  const key = parseAccountKey(String(sent));
  if (key !== undefined) return key;
  const { length } = headerValues(request, header);
  if (length > 1) throw new HttpError(400, repeatedHeader('X-Service-Key', length));
  throw unauthorized(
    `What came in X-Service-Key is no key, or not all of it: keys begin with psk_ and have ${accountKeyLength} characters. ${howToGetOne}`,
  );
}

/** The key of a request that may have none. */
export function sentServiceKey({ headers }: IncomingMessage): AccountKey | 'malformed' | undefined {
  const sent = headers[header];
  return sent === undefined ? undefined : (parseAccountKey(String(sent)) ?? 'malformed');
}

export function unknownServiceKey(): HttpError {
  return unauthorized(
    `The key in X-Service-Key opens no account: it was rotated, or its account was deleted or has expired. ${howToGetOne}`,
  );
}

/**
 * No scheme is registered for keys in a header of their own. RFC 9110 section 15.5.2 wants a challenge
 * all the same, and browsers pass over the schemes that they do not know.
 */
function unauthorized(message: string): HttpError {
  return new HttpError(401, message, {
    headers: { 'www-authenticate': 'ServiceKey realm="Practice API"' },
  });
}
