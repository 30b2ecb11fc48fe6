/** Fields that shape the response: its format, sampling and stop texts. */

import type { JsonObject } from '../../../../base/json-object.js';
import {
  anyObject,
  decimal,
  fieldOf,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  type Part,
  pathTo,
  readPart,
  reject,
  required,
  text,
  truth,
} from '../fields.js';
import { readCacheControl, visibleText } from './media.js';
import type { Thinking } from './thinking.js';
import { admit, plainSchema } from './tools.js';
import {
  checkUnsupported,
  checkUnsupportedInMessage,
  rejectFilled,
  unsupportedFields,
  unsupportedMessageFields,
} from './unsupported.js';

const maxStopSequences = 64;

/** Fields that also exist for counting tokens. */
export const commonFields = [
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'cache_control',
  'speed',
  'user_profile_id',
  'workspace_id',
  ...unsupportedFields,
] as const;

export const messageFields = [
  ...commonFields,
  'max_tokens',
  'stream',
  'stop_sequences',
  'metadata',
  'service_tier',
  'inference_geo',
  'diagnostics',
  ...unsupportedMessageFields,
] as const;

/** Fields that the newer version does not have. */
export const samplingFields = ['temperature', 'top_p', 'top_k'] as const;

/** Checks fields that change nothing. */
export function checkCommonOptions(body: Part): void {
  readCacheControl(fieldOf(body, 'cache_control'), 'cache_control');
  if (nullable(body, 'speed', oneOf(['standard', 'fast'])) === 'fast') {
    reject('speed', 'Fast mode is not supported here; use "standard".');
  }
  for (const name of ['user_profile_id', 'workspace_id']) nullable(body, name, text);
  checkUnsupported(body);
}

/** Checks fields that change at most the usage; returns the region. */
export function readOptions(body: Part): string | null {
  checkUnsupportedInMessage(body);
  const metadata = optional(body, 'metadata', anyObject);
  if (metadata !== undefined) {
    nullable(readPart(metadata, 'metadata', ['user_id']), 'user_id', text);
  }
  optional(body, 'service_tier', oneOf(['auto', 'standard_only']));
  const diagnostics = nullable(body, 'diagnostics', anyObject) ?? {};
  const part = readPart(diagnostics, 'diagnostics', ['previous_message_id']);
  nullable(part, 'previous_message_id', text);
  return nullable(body, 'inference_geo', text) ?? null;
}

/** Reads a JSON Schema that the text of the response must satisfy. */
export function readFormat(body: Part): JsonObject | undefined {
  const config = optional(body, 'output_config', anyObject);
  const part = readPart(config ?? {}, 'output_config', ['format', 'effort', 'task_budget']);
  rejectFilled(part, ['task_budget']);
  nullable(part, 'effort', oneOf(['low', 'medium', 'high', 'xhigh', 'max']));
  const format = fieldOf(part, 'format');
  const older = fieldOf(body, 'output_format');
  if (format !== undefined && older !== undefined) {
    reject('output_format', 'Use only output_config.format, which is newer.');
  }
  if (older !== undefined) return readSchema(older, 'output_format');
  return format === undefined ? undefined : readSchema(format, 'output_config.format');
}

function readSchema(value: unknown, path: string): JsonObject {
  const part = readPart(value, path, ['type', 'schema']);
  required(part, 'type', oneOf(['json_schema']));
  const schema = plainSchema(required(part, 'schema', anyObject));
  admit(path, [[pathTo(path, 'schema'), schema]]);
  return schema;
}

export function readStopSequences(body: Part): readonly string[] {
  const values = nullable(body, 'stop_sequences', list) ?? [];
  if (values.length > maxStopSequences) {
    reject('stop_sequences', `There must be at most ${maxStopSequences} stop sequences.`);
  }
  return values.map((value, index) => {
    if (visibleText.accepts(value)) return value;
    return reject(`stop_sequences.${index}`, `This must be ${visibleText.expected}.`);
  });
}

export function readStream(body: Part): boolean {
  return optional(body, 'stream', truth) ?? false;
}

/** Checks sampling, which only the older version has. */
export function checkSampling(body: Part, { type }: Thinking): void {
  const temperature = optional(body, 'temperature', decimal(0, 1));
  const probability = optional(body, 'top_p', decimal(0, 1));
  const candidates = optional(body, 'top_k', integer(0));
  if (type !== 'enabled') return;
  if (temperature !== undefined && temperature !== 1) {
    reject('temperature', 'With thinking, this must be 1.');
  }
  if (probability !== undefined && probability < 0.95) {
    reject('top_p', 'With thinking, this must be from 0.95 to 1.');
  }
  if (candidates !== undefined) reject('top_k', 'With thinking, this field must be absent.');
}
