/** Checks the keys of requests. */

import { cutText } from '#base/text/cut-text.js';
import { realm } from '#http/credentials/challenge.js';
import type { Request } from '#http/exchange.js';
import type { HttpError } from '#http/http-error.js';
import { googleDetail } from '../messages/google-details.js';
import { hasKey, keys } from '../messages/keys.js';
import { type MistakeOptions, mistake } from '../messages/mistake.js';
import type { ProviderName } from '../messages/provider.js';

const queryNames = ['api_key', 'api-key', 'apikey', 'x-api-key'];

/** Returns the key of a request. Throws an error without a key of its provider. */
export function checkKey(provider: ProviderName, request: Request): string {
  if (provider === 'ollama') return '';
  return provider === 'gemini' ? checkGoogleKey(request) : checkHeaderKey(provider, request);
}

function checkHeaderKey(provider: 'openai' | 'anthropic', request: Request): string {
  const sent = sentKey(provider, request);
  const inUrl = Object.keys(request.query as object).find((name) => isKey(name, request));
  if (inUrl !== undefined) {
    throw unauthorized(`The key is in the URL (${cutText(inUrl, 40)}). Send it in a header.`, {
      rule: 'key-not-in-url',
      // A gateway before the provider may have its own keys.
      ...(sent !== undefined && !hasKey(queryValue(request, inUrl)) && { decidedBy: isOwnKey }),
      code: 'invalid_api_key',
    });
  }
  if (sent === undefined) {
    throw unauthorized(`Send the key ${keys[provider]} in ${headersOf(provider)}.`);
  }
  if (sent === keys[provider] || sent === keys.quota) return sent;
  throw unauthorized(`Unknown API key. GET /llm has the keys.`, { code: 'invalid_api_key' });
}

/** A key in the query is right, and a finding of the judge. */
function checkGoogleKey({ headers, query }: Request): string {
  const { 'x-goog-api-key': inHeader, authorization } = headers;
  const sent = inHeader ?? (query as { readonly key?: unknown }).key;
  if (sent === undefined) {
    const message = `Send the key ${keys.gemini} in x-goog-api-key.`;
    throw authorization === undefined ? mistake(403, message) : unauthorized(message);
  }
  if (sent === keys.gemini || sent === keys.quota) return sent;
  const domain = {
    domain: 'googleapis.com',
    metadata: { service: 'generativelanguage.googleapis.com' },
  };
  throw mistake(400, 'Unknown API key. GET /llm has the keys.', {
    details: [googleDetail('ErrorInfo', { reason: 'API_KEY_INVALID', ...domain })],
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

const headersOf = (provider: ProviderName) =>
  provider === 'openai' ? 'Authorization: Bearer' : 'x-api-key, or Authorization: Bearer';

function sentKey(provider: ProviderName, { headers }: Request): string | undefined {
  const own = provider === 'anthropic' ? headers['x-api-key'] : undefined;
  if (own !== undefined) return String(own);
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const [scheme = '', token = ''] = authorization.split(/ +/, 2);
  return scheme.toLowerCase() === 'bearer' ? token : '';
}
