/** Errors in the format of Google's APIs. */

import type { Request } from '#http/exchange.js';
import { array, object, record } from '#kit/input/fields/parts.js';
import { optional, titled } from '#kit/input/fields/reader.js';
import { integer, text } from '#kit/input/fields/values.js';
import { googleDetail } from '../messages/google-details.js';
import { keys } from '../messages/keys.js';
import { mistake } from '../messages/mistake.js';
import type { Provider } from '../messages/provider.js';

const statuses: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

const error = object({
  code: integer({ min: 400 }),
  message: text(),
  status: text(),
  details: optional(array(record)),
});

const whole = titled('LlmGeminiError', object({ error }));

const invalidKey = googleDetail('ErrorInfo', {
  reason: 'API_KEY_INVALID',
  domain: 'googleapis.com',
  metadata: { service: 'generativelanguage.googleapis.com' },
});

export const gemini: Provider = {
  name: 'gemini',
  version: 'v1beta',
  keyPlaces: {
    key: keys.gemini,
    security: 'apiKeyGoogle',
    headers: ['x-goog-api-key'],
    parameter: 'key',
    absent: (message) => mistake(403, message),
    unknown: (message) => mistake(400, message, { details: [invalidKey] }),
  },
  headers: { 'X-Goog-Api-Key': keys.gemini },
  keyStatuses: [401, 403],
  errorSchema: { anyOf: [whole.schema, array(whole).schema] },
  errorBody({ status: code, message, details, code: given }, request) {
    const usual = statuses[code] ?? (code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
    const status = typeof given === 'string' ? given : usual;
    const body = { error: { code, message, status, ...(Array.isArray(details) && { details }) } };
    // Without alt=sse, the stream is an array, and its errors are in one, too.
    return isArrayStream(request) ? [body] : body;
  },
};

/** Whether the stream of a request is a JSON array, and not server-sent events. */
function isArrayStream({ url, query }: Request): boolean {
  const path = url.split('?', 1)[0] ?? '';
  return /:streamGenerateContent$/i.test(path) && !isSse(query);
}

export const isSse = (query: unknown): boolean =>
  (query as { readonly alt?: unknown } | undefined)?.alt === 'sse';
