/** Describes messages, counts of tokens, and models. */

import { array, byMember, object, record } from '#kit/input/fields/parts.js';
import { optional, orNull, titled } from '#kit/input/fields/reader.js';
import { anything, boolean, choice, integer, text } from '#kit/input/fields/values.js';
import { modelNames } from '../messages/models.js';
import { stopReasons } from './response.js';

const count = integer({ min: 0 });

const block = byMember('type', {
  thinking: object({ type: anything, thinking: text(), signature: text() }),
  text: object({ type: anything, text: text(), citations: optional(orNull(array(record))) }),
  tool_use: object({
    type: anything,
    id: text(),
    name: text(),
    input: record,
    caller: object({ type: choice(['direct']) }),
  }),
});

const usage = object({
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  cache_creation: object({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
  output_tokens: count,
  output_tokens_details: object({ thinking_tokens: count }),
  server_tool_use: orNull(record),
  service_tier: choice(['standard']),
  inference_geo: orNull(text()),
  speed: orNull(text()),
});

export const message = titled(
  'LlmMessage',
  object({
    id: text(),
    type: choice(['message']),
    role: choice(['assistant']),
    model: choice(modelNames),
    container: orNull(record),
    diagnostics: orNull(record),
    content: array(block),
    stop_reason: choice([...new Set(Object.values(stopReasons))]),
    stop_sequence: orNull(text()),
    stop_details: orNull(
      object({
        type: choice(['refusal']),
        category: orNull(text()),
        explanation: orNull(text()),
      }),
    ),
    usage,
  }),
);

export const tokenCount = object({ input_tokens: count });

export const model = object({
  type: choice(['model']),
  id: choice(modelNames),
  display_name: text(),
  created_at: text(),
  lifecycle: choice(['active']),
  line: orNull(text()),
  deprecated_at: orNull(text()),
  retires_at: orNull(text()),
  max_input_tokens: count,
  max_tokens: count,
  capabilities: record,
});

export const modelList = object({
  data: array(model),
  has_more: boolean,
  first_id: orNull(text()),
  last_id: orNull(text()),
});
