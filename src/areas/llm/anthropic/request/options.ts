/** Members of a request that shape the response, in the order in which they are read. */

import type { JsonObject } from '#base/json-object.js';
import { array, memberOf, object, record } from '#kit/input/fields/parts.js';
import {
  absent,
  checked,
  described,
  type Field,
  mapped,
  nullable,
  optional,
  reader,
} from '#kit/input/fields/reader.js';
import { anything, boolean, choice, decimal, integer, text } from '#kit/input/fields/values.js';
import { mistake } from '../../messages/mistake.js';
import { isModel, type ModelName, modelNames, models } from '../../messages/models.js';
import { filledText, pathTo, reject, unsupported, visibleText } from '../faults.js';
import type { Version } from '../version.js';
import { cacheControl, contentOf, media } from './media.js';
import { messagesOf } from './messages.js';
import { type Thinking, thinking } from './thinking.js';
import { admit, plainSchema, toolChoice, tools } from './tools.js';

const maxStopSequences = 64;

/** A list that has no function here. */
const noItems = array(anything, { max: 0, message: unsupported });
const unlisted = described(optional(noItems), absent().schema);

const anyText = nullable(text());

export const model = reader({ type: 'string', enum: modelNames }, (field): ModelName => {
  const name = filledText(field);
  if (isModel(name)) return name;
  const message = `Unknown model; use one of ${modelNames.join(', ')}.`;
  throw mistake(404, message, { param: 'model' });
});

/** The model is read before; it has the limit. */
const tokenLimit = reader(integer({ min: 1 }).schema, (field) => {
  const { model: name } = field.siblings as { readonly model: ModelName };
  return integer({ min: 1, max: models[name].maxOutputTokens })(field);
});

/** Rejects a thread in the way that lets SDKs continue without one. */
const thread = reader(
  absent().schema,
  ({ value }) => {
    if (value === undefined || value === null) return;
    reject('thread', 'Threads are not supported here; send all messages without this field.', {
      details: { error_code: 'thread_unsupported_request', unsupported: [] },
    });
  },
  true,
);

export const beginning = { thread, model, max_tokens: tokenLimit };

const speed = described(
  checked(choice(['standard', 'fast']), (value) => {
    if (value === 'fast') reject('speed', 'Fast mode is not supported here; use "standard".');
  }),
  choice(['standard']).schema,
);

/** An empty text is the same as none. */
const system = mapped(contentOf({ text: media.text }), (read, { value }) =>
  value === '' ? undefined : read,
);

const format = mapped(
  object({ type: choice(['json_schema']), schema: record }),
  ({ schema }, { path }): JsonObject => {
    const plain = plainSchema(schema);
    admit(path, [[pathTo(path, 'schema'), plain]]);
    return plain;
  },
);

/** Returns the format unread, because it may be in another member, too. */
const outputConfig = mapped(
  object({
    task_budget: absent(),
    effort: nullable(choice(['low', 'medium', 'high', 'xhigh', 'max'])),
    format: described(nullable(anything), nullable(format).schema),
  }),
  ({ format: given }, field) => (given === undefined ? undefined : memberOf(field, 'format')),
);

/** Returns the JSON Schema that the text of the response must satisfy. */
const outputFormat = reader(
  nullable(format).schema,
  (field) => {
    const { output_config: newer } = field.siblings as { readonly output_config?: Field };
    if (field.value === undefined || field.value === null) return newer && format(newer);
    if (newer === undefined) return format(field);
    return reject('output_format', 'Use only output_config.format, which is newer.');
  },
  true,
);

/** Members that also exist for counting tokens. */
const conversationOf = (version: Version) => ({
  cache_control: cacheControl,
  speed: nullable(speed),
  user_profile_id: anyText,
  workspace_id: anyText,
  billing_policy: absent(),
  compaction: absent(),
  mcp_servers: unlisted,
  context_management: described(nullable(object({ edits: unlisted })), absent().schema),
  messages: messagesOf(version),
  system: nullable(system),
  tools: optional(tools),
  tool_choice: nullable(toolChoice),
  thinking: nullable(thinking),
  output_config: optional(outputConfig),
  output_format: outputFormat,
});

export const conversations: Readonly<Record<Version, ReturnType<typeof conversationOf>>> = {
  '2023-06-01': conversationOf('2023-06-01'),
  '2026-10-21': conversationOf('2026-10-21'),
};

/** Members that change nothing, or only the usage. */
export const options = {
  container: absent(),
  fallback_credit_token: absent(),
  fallbacks: absent(),
  metadata: optional(object({ user_id: anyText })),
  service_tier: optional(choice(['auto', 'standard_only'])),
  diagnostics: nullable(object({ previous_message_id: anyText })),
  inference_geo: anyText,
};

/** Members that the newer version does not have. */
export const sampling = {
  temperature: optional(decimal({ min: 0, max: 1 })),
  top_p: optional(decimal({ min: 0, max: 1 })),
  top_k: optional(integer({ min: 0 })),
};

export const ending = {
  stop_sequences: nullable(
    array(visibleText, {
      max: maxStopSequences,
      message: `There must be at most ${maxStopSequences} stop sequences.`,
    }),
  ),
  stream: optional(boolean),
};

interface Sampling {
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly top_k?: number | undefined;
}

export function checkSampling(given: Sampling, { type }: Thinking): void {
  const { temperature, top_p: probability, top_k: candidates } = given;
  if (type !== 'enabled') return;
  if (temperature !== undefined && temperature !== 1) {
    reject('temperature', 'With thinking, this must be 1.');
  }
  if (probability !== undefined && probability < 0.95) {
    reject('top_p', 'With thinking, this must be from 0.95 to 1.');
  }
  if (candidates !== undefined) reject('top_k', 'With thinking, this field must be absent.');
}
