/** Describes responses, and lists of their input. */

import { array, byMember, object, record } from '#kit/input/fields/parts.js';
import { either, optional, orNull, titled } from '#kit/input/fields/reader.js';
import { anything, boolean, choice, decimal, integer, text } from '#kit/input/fields/values.js';
import { cacheRetention, metadata, modelName, verbosity } from '../read/common.js';

const count = integer({ min: 0 });
const status = choice(['in_progress', 'completed', 'incomplete']);

const part = byMember('type', {
  output_text: object({
    type: anything,
    text: text(),
    annotations: array(record),
    logprobs: array(record),
  }),
  refusal: object({ type: anything, refusal: text() }),
});

const item = byMember('type', {
  reasoning: object({
    type: anything,
    id: text(),
    summary: array(object({ type: choice(['summary_text']), text: text() })),
    encrypted_content: optional(text()),
  }),
  message: object({
    type: anything,
    id: text(),
    status,
    role: choice(['assistant']),
    content: array(part),
  }),
  function_call: object({
    type: anything,
    id: text(),
    status,
    call_id: text(),
    name: text(),
    namespace: optional(text()),
    arguments: text(),
  }),
});

const tool = object({
  type: choice(['function']),
  name: text(),
  description: orNull(text()),
  parameters: orNull(record),
  strict: boolean,
});

/** Members of the request. */
const repeated = {
  instructions: orNull(text()),
  max_output_tokens: orNull(count),
  metadata,
  model: modelName,
  parallel_tool_calls: boolean,
  previous_response_id: orNull(text()),
  prompt_cache_key: orNull(text()),
  prompt_cache_retention: orNull(cacheRetention),
  reasoning: object({ effort: orNull(text()), summary: orNull(text()) }),
  safety_identifier: orNull(text()),
  service_tier: choice(['default']),
  temperature: decimal({ min: 0, max: 2 }),
  text: object({ format: record, verbosity }),
  tool_choice: either([text(), record], ({ value }) => value),
  tools: array(either([tool, record], ({ value }) => value)),
  top_logprobs: count,
  top_p: decimal({ min: 0, max: 1 }),
  truncation: choice(['auto', 'disabled']),
  user: optional(text()),
};

const usage = object({
  input_tokens: count,
  input_tokens_details: object({ cached_tokens: count, cache_write_tokens: count }),
  output_tokens: count,
  output_tokens_details: object({ reasoning_tokens: count }),
  total_tokens: count,
});

export const response = titled(
  'LlmResponse',
  object({
    id: text(),
    object: choice(['response']),
    created_at: count,
    status: choice(['queued', 'in_progress', 'completed', 'incomplete', 'cancelled']),
    background: boolean,
    completed_at: orNull(count),
    error: orNull(record),
    incomplete_details: orNull(object({ reason: choice(['max_output_tokens']) })),
    output: array(titled('LlmOutputItem', item)),
    ...repeated,
    // Absent until the response is complete.
    usage: optional(usage),
  }),
);

export const deletedResponse = object({
  id: text(),
  object: choice(['response']),
  deleted: boolean,
});

export const itemList = object({
  object: choice(['list']),
  data: array(record),
  first_id: orNull(text()),
  last_id: orNull(text()),
  has_more: boolean,
});
