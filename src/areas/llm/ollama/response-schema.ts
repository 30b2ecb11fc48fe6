/** Describes responses of Ollama. */

import { array, object, record } from '#kit/input/fields/parts.js';
import { optional, titled } from '#kit/input/fields/reader.js';
import { boolean, choice, decimal, integer, text } from '#kit/input/fields/values.js';

const count = optional(integer({ min: 0 }));

const head = { model: text(), created_at: text() };
const end = {
  done: boolean,
  done_reason: choice(['stop', 'length', 'load', 'unload']),
  total_duration: count,
  load_duration: count,
  prompt_eval_count: count,
  prompt_eval_duration: count,
  eval_count: count,
  eval_duration: count,
  logprobs: optional(array(record)),
};

const call = object({ id: text(), function: record });

export const chat = titled(
  'LlmOllamaMessage',
  object({
    ...head,
    message: object({
      role: choice(['assistant']),
      content: text(),
      thinking: optional(text()),
      tool_calls: optional(array(call)),
    }),
    ...end,
  }),
);

export const generated = titled(
  'LlmOllamaText',
  object({
    ...{ ...head, response: text(), thinking: optional(text()) },
    ...{ ...end, context: optional(array(integer({ min: 0 }))) },
  }),
);

const members = { name: text(), model: text(), size: integer({ min: 0 }), digest: text() };

export const tags = object({
  models: array(
    object({ ...members, details: record, modified_at: text(), capabilities: array(text()) }),
  ),
});

export const loaded = object({
  models: array(
    object({
      ...{ ...members, details: record, expires_at: text() },
      ...{ size_vram: integer({ min: 0 }), context_length: integer({ min: 0 }) },
    }),
  ),
});

export const shown = object({
  ...{ license: text(), modelfile: text(), parameters: text(), template: text() },
  ...{ details: record, model_info: record, capabilities: array(text()), modified_at: text() },
});

export const embedded = object({
  model: text(),
  embeddings: array(array(decimal({ min: -1 }))),
  total_duration: integer({ min: 0 }),
  load_duration: integer({ min: 0 }),
  prompt_eval_count: integer({ min: 0 }),
});

export const version = object({ version: text() });
