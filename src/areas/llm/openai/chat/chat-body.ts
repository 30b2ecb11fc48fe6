/** Members of a request for a chat completion. */

import type { JsonObject } from '#base/json-object.js';
import { array, object, record } from '#kit/input/fields/parts.js';
import {
  absent,
  checked,
  described,
  either,
  type Field,
  nullable,
  optional,
  titled,
  type ValueOf,
} from '#kit/input/fields/reader.js';
import { boolean, choice, decimal, integer, text } from '#kit/input/fields/values.js';
import {
  cacheRetention,
  effort,
  metadata,
  modelName,
  serviceTier,
  shortId,
  verbosity,
} from '../read/common.js';
import { invalid, wrongType } from '../read/faults.js';
import { maxTools } from '../read/tools.js';
import { responseFormat } from './read-format.js';
import { messages } from './read-messages.js';
import { tool, toolChoice } from './read-tools.js';

const maxChoices = 8;
const maxStops = 4;
const tokens = integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const penalty = nullable(decimal({ min: -2, max: 2 }));

const oneStop = text({ isFilled: true });
const stops = array(oneStop, { max: maxStops });

const stop = either<readonly string[]>([oneStop, stops], (field) => {
  if (typeof field.value === 'string') return [oneStop(field)];
  if (!Array.isArray(field.value)) throw wrongType(field, 'a string or an array of strings');
  return stops(field);
});

const maxBiases = 1024;

const bias = decimal({ min: -100, max: 100 });

function checkBias(given: JsonObject, field: Field): void {
  const entries = Object.entries(given);
  if (entries.length > maxBiases) {
    const message = `Invalid '${field.path}': use at most ${maxBiases} tokens.`;
    throw invalid(field.path, 'object_above_max_properties', message);
  }
  for (const [token, value] of entries) {
    if (!/^\d{1,7}$/.test(token)) {
      throw invalid(field.path, 'invalid_value', `Invalid '${field.path}': use numbers of tokens.`);
    }
    bias({ ...field, path: `${field.path}.${token}`, value });
  }
}

const biases = described(checked(record, checkBias), {
  type: 'object',
  propertyNames: { pattern: '^\\d{1,7}$' },
  additionalProperties: bias.schema,
  maxProperties: maxBiases,
});

const body = object({
  model: modelName,
  messages,
  audio: absent('This model writes text only.'),
  frequency_penalty: penalty,
  function_call: absent("Use 'tool_choice'."),
  functions: absent("Use 'tools'."),
  logit_bias: nullable(biases),
  logprobs: nullable(boolean),
  max_completion_tokens: nullable(tokens),
  max_tokens: nullable(tokens),
  metadata: nullable(metadata),
  modalities: nullable(array(choice(['text']), { min: 1, max: 2 })),
  moderation: absent('This model moderates nothing.'),
  n: nullable(integer({ min: 1, max: maxChoices })),
  parallel_tool_calls: optional(boolean),
  prediction: absent('This model predicts nothing.'),
  presence_penalty: penalty,
  prompt_cache_key: nullable(text({ max: 64 })),
  prompt_cache_options: optional(record),
  prompt_cache_retention: nullable(cacheRetention),
  reasoning_effort: nullable(effort),
  response_format: optional(responseFormat),
  safety_identifier: nullable(shortId),
  seed: nullable(integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })),
  service_tier: nullable(serviceTier),
  stop: nullable(stop),
  store: nullable(boolean),
  stream: nullable(boolean),
  stream_options: nullable(
    object({ include_usage: optional(boolean), include_obfuscation: optional(boolean) }),
  ),
  temperature: nullable(decimal({ min: 0, max: 2 })),
  tool_choice: optional(toolChoice),
  tools: optional(array(tool, { max: maxTools })),
  top_logprobs: nullable(integer({ min: 0, max: 20 })),
  top_p: nullable(decimal({ min: 0, max: 1 })),
  user: nullable(text({ max: 512 })),
  verbosity: nullable(verbosity),
  web_search_options: absent('This model searches nothing.'),
});

export const chatBody = titled('LlmChatRequest', body);

export type ChatBody = ValueOf<typeof chatBody>;
