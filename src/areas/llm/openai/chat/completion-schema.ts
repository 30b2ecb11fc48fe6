/** Describes chat completions. */

import { array, object, record } from '#kit/input/fields/parts.js';
import { optional, orNull, titled } from '#kit/input/fields/reader.js';
import { choice, integer, text } from '#kit/input/fields/values.js';
import { modelName } from '../read/common.js';
import { finishReasons } from './write-completion.js';

const count = integer({ min: 0 });

const message = object({
  role: choice(['assistant']),
  content: orNull(text()),
  refusal: orNull(text()),
  annotations: array(record),
  tool_calls: optional(
    array(
      object({
        id: text(),
        type: choice(['function']),
        function: object({ name: text(), arguments: text() }),
      }),
    ),
  ),
});

const usage = object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: object({ cached_tokens: count, audio_tokens: count }),
  completion_tokens_details: object({
    reasoning_tokens: count,
    audio_tokens: count,
    accepted_prediction_tokens: count,
    rejected_prediction_tokens: count,
  }),
});

export const chatCompletion = titled(
  'LlmChatCompletion',
  object({
    id: text(),
    object: choice(['chat.completion']),
    created: count,
    model: modelName,
    service_tier: choice(['default']),
    system_fingerprint: text(),
    choices: array(
      object({
        index: count,
        message,
        logprobs: orNull(record),
        finish_reason: choice([...new Set(Object.values(finishReasons))]),
      }),
    ),
    usage,
  }),
);
