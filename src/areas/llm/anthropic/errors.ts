/** Errors in the format of Anthropic. */

import { isObject } from '#base/json-object.js';
import { object, record } from '#kit/input/fields/parts.js';
import { optional, titled } from '#kit/input/fields/reader.js';
import { choice, text } from '#kit/input/fields/values.js';
import { keys } from '../messages/keys.js';
import type { Provider } from '../messages/provider.js';

const typeOf: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [408, 'timeout_error'],
  [409, 'conflict_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

const errorBody = object({
  type: choice(['error']),
  error: object({ type: text(), message: text(), details: optional(record) }),
  request_id: text(),
});

export const anthropic: Provider = {
  name: 'anthropic',
  version: 'v1',
  keyPlaces: {
    key: keys.anthropic,
    security: 'apiKeyAnthropic',
    headers: ['x-api-key', 'authorization'],
  },
  demandsWait: true,
  headers: { 'X-Api-Key': keys.anthropic, 'Anthropic-Version': '2023-06-01' },
  keyStatuses: [401],
  errorSchema: titled('LlmAnthropicError', errorBody).schema,
  errorBody({ status, message, type, param, details }, _request, requestId) {
    return {
      type: 'error',
      error: {
        type: typeof type === 'string' ? type : typeOfStatus(status),
        message: typeof param === 'string' && param !== '' ? `${param}: ${message}` : message,
        ...(isObject(details) && { details }),
      },
      request_id: requestId,
    };
  },
};

/** The documentation allows `invalid_request_error` for other statuses from 400 to 499. */
function typeOfStatus(status: number): string {
  return typeOf.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}
