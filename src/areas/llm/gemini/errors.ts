/** Errors in the format of Google's APIs. */

import { array, object, record } from '#kit/input/fields/parts.js';
import { optional, titled } from '#kit/input/fields/reader.js';
import { integer, text } from '#kit/input/fields/values.js';
import type { Provider } from '../messages/provider.js';
import { isArrayStream } from './stream-path.js';

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

export const gemini: Provider = {
  name: 'gemini',
  version: 'v1beta',
  security: 'apiKeyGoogle',
  headers: { 'X-Goog-Api-Key': 'sk-practice-gemini' },
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
