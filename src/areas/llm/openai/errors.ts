/** Error bodies of the OpenAI API. */

import { object } from '#kit/input/fields/parts.js';
import { orNull, titled } from '#kit/input/fields/reader.js';
import { text } from '#kit/input/fields/values.js';
import { keys } from '../messages/keys.js';
import type { Provider } from '../messages/provider.js';

const invalidRequest = 'invalid_request_error';

/** By status; other statuses below 500 are invalid requests, others are server errors. */
const types: Readonly<Record<number, string>> = {
  403: 'permission_error',
  429: 'requests',
  503: 'service_unavailable_error',
};

/** Codes of failures without one, by status. */
const codes: Readonly<Record<number, string>> = {
  429: 'rate_limit_exceeded',
  503: 'server_is_overloaded',
};

const error = object({
  message: text(),
  type: text(),
  param: orNull(text()),
  code: orNull(text()),
});

export const openai: Provider = {
  name: 'openai',
  version: 'v1',
  keyPlaces: { key: keys.openai, security: 'openaiKey', headers: ['authorization'] },
  demandsWait: true,
  headers: { Authorization: `Bearer ${keys.openai}` },
  keyStatuses: [401],
  errorSchema: titled('LlmOpenaiError', object({ error })).schema,
  errorBody({ status, message, type, param, code }) {
    return {
      error: {
        message,
        type: typeof type === 'string' ? type : typeOf(status),
        param: param ?? null,
        code: code === undefined ? (codes[status] ?? null) : code,
      },
    };
  },
};

function typeOf(status: number): string {
  return types[status] ?? (status < 500 ? invalidRequest : 'server_error');
}
