/** Errors in the format of Ollama. */

import { object } from '#kit/input/fields/parts.js';
import { titled } from '#kit/input/fields/reader.js';
import { text } from '#kit/input/fields/values.js';
import type { Provider } from '../messages/provider.js';

export const ollama: Provider = {
  name: 'ollama',
  version: 'api',
  headers: {},
  keyStatuses: [],
  acceptsAnyType: true,
  errorSchema: titled('LlmOllamaError', object({ error: text() })).schema,
  errorBody: ({ message }) => ({ error: message }),
};
