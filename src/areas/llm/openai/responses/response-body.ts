/** Members of a request for a response. */

import type { JsonObject } from '#base/json-object.js';
import { array, byMember, object, record } from '#kit/input/fields/parts.js';
import {
  absent,
  type Field,
  mapped,
  nullable,
  optional,
  type Reader,
  reader,
  titled,
  type ValueOf,
} from '#kit/input/fields/reader.js';
import { anything, boolean, choice, decimal, integer, text } from '#kit/input/fields/values.js';
import {
  cacheRetention,
  effort,
  metadata,
  modelName,
  namePattern,
  serviceTier,
  shortId,
  toolName,
  verbosity,
} from '../read/common.js';
import { responseTools } from '../read/response-tools.js';
import { acceptSchemas, callerSchema } from '../read/schemas.js';
import { choiceOrObject, type GivenChoice, maxTools } from '../read/tools.js';
import { inputItems } from './read-item.js';

const named = object({ type: anything, name: toolName });

const allowed = object({
  type: anything,
  mode: choice(['auto', 'required']),
  tools: array(named, { min: 1, max: maxTools }),
});

const toolChoice = choiceOrObject(
  byMember('type', {
    function: mapped(named, ({ name }, { path }): GivenChoice => ({ name, path })),
    allowed_tools: mapped(allowed, ({ mode, tools }, { path }): GivenChoice => {
      return { mode, names: tools.map(({ name }) => name), path };
    }),
  }),
);

const plain = object({ type: anything });

const jsonSchema = object({
  type: anything,
  name: text({ max: 64, pattern: namePattern, isFilled: true }),
  description: optional(text()),
  schema: callerSchema,
  strict: nullable(boolean),
});

/** The format for the model, and as the request has it. */
export interface ResponseFormat {
  readonly format: JsonObject | 'json' | undefined;
  readonly given: JsonObject;
}

const format = byMember('type', {
  text: mapped(plain, (): ResponseFormat => ({ format: undefined, given: { type: 'text' } })),
  json_object: mapped(
    plain,
    (): ResponseFormat => ({ format: 'json', given: { type: 'json_object' } }),
  ),
  json_schema: mapped(jsonSchema, ({ schema, strict }, { path, value }): ResponseFormat => {
    const given = { path: `${path}.schema`, schema, isStrict: strict === true };
    return {
      format: acceptSchemas([given], 'invalid_json_schema')[0],
      given: value as JsonObject,
    };
  }),
});

const summary = choice(['auto', 'concise', 'detailed']);

const logprobs = 'message.output_text.logprobs';

export const included = choice([
  'reasoning.encrypted_content',
  'message.input_image.image_url',
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  logprobs,
]);

/** Accepts an empty list as well. */
function emptyList(read: Reader<undefined>): Reader<undefined> {
  const isEmpty = ({ value }: Field) => Array.isArray(value) && value.length === 0;
  const schema = { type: ['array', 'null'], maxItems: 0 };
  return reader(schema, (field) => (isEmpty(field) ? undefined : read(field)), true);
}

const minTokens = 16;

const body = object({
  model: modelName,
  input: inputItems,
  messages: absent("Use 'input'."),
  max_tokens: absent("Use 'max_output_tokens'."),
  max_completion_tokens: absent("Use 'max_output_tokens'."),
  response_format: absent("Use 'text.format'."),
  reasoning_effort: absent("Use 'reasoning.effort'."),
  background: nullable(boolean),
  // Codex sends it, although no reference has it.
  client_metadata: nullable(record),
  context_management: emptyList(absent("Use 'truncation'.")),
  conversation: absent("Use 'previous_response_id'."),
  include: nullable(array(included, { max: 20 })),
  instructions: nullable(text()),
  max_output_tokens: nullable(integer({ min: minTokens, max: Number.MAX_SAFE_INTEGER })),
  max_tool_calls: nullable(integer({ min: 1, max: maxTools })),
  metadata: nullable(metadata),
  moderation: absent('This model moderates nothing.'),
  parallel_tool_calls: nullable(boolean),
  previous_response_id: nullable(shortId),
  prompt: absent("Use 'instructions' and 'input'."),
  prompt_cache_key: nullable(text({ max: 64 })),
  prompt_cache_options: optional(record),
  prompt_cache_retention: nullable(cacheRetention),
  reasoning: nullable(
    object({
      effort: nullable(effort),
      summary: nullable(summary),
      generate_summary: nullable(summary),
      context: nullable(choice(['auto', 'current_turn', 'all_turns'])),
      mode: optional(choice(['standard', 'pro'])),
    }),
  ),
  safety_identifier: nullable(shortId),
  service_tier: nullable(serviceTier),
  store: nullable(boolean),
  stream: nullable(boolean),
  stream_options: nullable(object({ include_obfuscation: optional(boolean) })),
  temperature: nullable(decimal({ min: 0, max: 2 })),
  text: nullable(object({ format: optional(format), verbosity: nullable(verbosity) })),
  tool_choice: nullable(toolChoice),
  tools: nullable(responseTools),
  top_logprobs: nullable(integer({ min: 0, max: 20 })),
  top_p: nullable(decimal({ min: 0, max: 1 })),
  truncation: nullable(choice(['auto', 'disabled'])),
  user: nullable(text({ max: 512 })),
});

export const responseBody = titled('LlmResponseRequest', body);

export type ResponseBody = ValueOf<typeof responseBody>;

/** Returns the number of alternatives of each token; `undefined` without log probabilities. */
export const alternativesIn = ({ include, top_logprobs: count = 0 }: ResponseBody) =>
  include?.includes(logprobs) ? count : undefined;
