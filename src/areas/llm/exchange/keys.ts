/** Checks the keys of requests. */

import { cutText } from '#base/text/cut-text.js';
import { realm } from '#http/credentials/challenge.js';
import type { Request } from '#http/exchange.js';
import type { HttpError } from '#http/http-error.js';
import { hasKey, keys } from '../messages/keys.js';
import { type MistakeOptions, mistake } from '../messages/mistake.js';
import type { KeyPlaces, Provider } from '../messages/provider.js';

const queryNames = ['api_key', 'api-key', 'apikey', 'x-api-key'];

/** Returns the key of a request. Throws an error without a key of its provider, unless that has no keys. */
export function checkKey({ keyPlaces }: Provider, request: Request): string {
  if (keyPlaces === undefined) return '';
  const sent = sentKey(keyPlaces, request);
  if (keyPlaces.parameter === undefined) checkUrl(request, sent !== undefined);
  if (sent === keyPlaces.key || sent === keys.quota) return sent;
  if (sent !== undefined) {
    const unknown = 'Unknown API key. GET /llm has the keys.';
    throw keyPlaces.unknown?.(unknown) ?? unauthorized(unknown, { code: 'invalid_api_key' });
  }
  const names = keyPlaces.headers.map((name) => (isBearer(name) ? 'Authorization: Bearer' : name));
  const absent = `Send the key ${keyPlaces.key} in ${names.join(', or ')}.`;
  const isAnonymous = request.headers.authorization === undefined;
  throw (isAnonymous ? keyPlaces.absent?.(absent) : undefined) ?? unauthorized(absent);
}

function checkUrl(request: Request, isSent: boolean): void {
  const inUrl = Object.keys(request.query as object).find((name) => isKey(name, request));
  if (inUrl === undefined) return;
  throw unauthorized(`The key is in the URL (${cutText(inUrl, 40)}). Send it in a header.`, {
    rule: 'key-not-in-url',
    // A gateway before the provider may have its own keys.
    ...(isSent && !hasKey(queryValue(request, inUrl)) && { decidedBy: isOwnKey }),
    code: 'invalid_api_key',
  });
}

/** RFC 9110 section 15.5.2 requires a challenge. */
function unauthorized(message: string, options: MistakeOptions = {}): HttpError {
  const headers = { 'www-authenticate': `Bearer realm="${realm}"` };
  return mistake(401, message, { ...options, headers });
}

export function isQuotaKey(key: string): boolean {
  return key === keys.quota;
}

const isOwnKey = 'Whether the value is a key of this provider.';

const queryValue = ({ query }: Request, name: string) =>
  (query as Readonly<Record<string, unknown>>)[name];

function isKey(name: string, request: Request): boolean {
  const value = queryValue(request, name);
  return (value !== '' && queryNames.includes(name.toLowerCase())) || hasKey(value);
}

const isBearer = (header: string) => header === 'authorization';

/** The query may repeat the parameter, which is no key. */
function sentKey({ headers, parameter }: KeyPlaces, request: Request): unknown {
  for (const name of headers) {
    const value = request.headers[name];
    if (value !== undefined) return isBearer(name) ? bearerToken(String(value)) : value;
  }
  return parameter === undefined ? undefined : queryValue(request, parameter);
}

function bearerToken(credentials: string): string {
  const [scheme = '', token = ''] = credentials.split(/ +/, 2);
  return scheme.toLowerCase() === 'bearer' ? token : '';
}
