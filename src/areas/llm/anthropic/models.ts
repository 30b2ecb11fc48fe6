/** The models, in the format of Anthropic. */

import type { JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import { mistake } from '../messages/mistake.js';
import { createdAt, isModel, type ModelName, modelNames, models } from '../messages/models.js';
import { reject } from './faults.js';

const displayNames: Readonly<Record<ModelName, string>> = {
  'practice-1': 'Practice 1',
  'practice-1-thinking': 'Practice 1 Thinking',
  'practice-1-small': 'Practice 1 Small',
};

const maxLimit = 1000;
const defaultLimit = 20;

export function modelInfo(name: ModelName): JsonObject {
  const { contextTokens, maxOutputTokens, canThink } = models[name];
  return {
    type: 'model',
    id: name,
    display_name: displayNames[name],
    created_at: new Date(createdAt * 1000).toISOString().replace('.000Z', 'Z'),
    lifecycle: 'active',
    line: null,
    deprecated_at: null,
    retires_at: null,
    max_input_tokens: contextTokens,
    max_tokens: maxOutputTokens,
    capabilities: capabilitiesOf(canThink),
  };
}

function capabilitiesOf(canThink: boolean): JsonObject {
  const no = { supported: false };
  const yes = { supported: true };
  const thinks = { supported: canThink };
  return {
    batch: no,
    citations: no,
    code_execution: no,
    context_management: {
      supported: false,
      clear_thinking_20251015: no,
      clear_tool_uses_20250919: no,
      compact_20260112: no,
    },
    effort: { supported: true, low: yes, medium: yes, high: yes, xhigh: yes, max: yes },
    image_input: yes,
    pdf_input: no,
    server_tools: { supported: false, code_execution: no, web_search: no },
    structured_outputs: yes,
    thinking: {
      supported: canThink,
      types: { enabled: thinks, adaptive: thinks, disabled: yes, between_tools: no },
    },
  };
}

export function getModel(name: unknown): JsonObject {
  if (isModel(name)) return modelInfo(name);
  const message = `Unknown model; use one of ${modelNames.join(', ')}.`;
  throw mistake(404, message, { param: 'model' });
}

/** Lists a page of models, by `limit` and `after_id` or `before_id`. */
export function listModels(request: Request): JsonObject {
  const query = request.query as JsonObject;
  const limit = limitOf(query.limit);
  const after = positionOf(query, 'after_id');
  const before = positionOf(query, 'before_id');
  if (after !== undefined && before !== undefined) {
    reject('before_id', 'Use either before_id or after_id.');
  }
  const end = before ?? modelNames.length;
  const start = before === undefined ? (after ?? -1) + 1 : Math.max(0, end - limit);
  const names = modelNames.slice(start, Math.min(end, start + limit));
  return {
    data: names.map(modelInfo),
    has_more: before === undefined ? start + names.length < modelNames.length : start > 0,
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
  };
}

function limitOf(value: unknown): number {
  if (value === undefined) return defaultLimit;
  const limit = Number(typeof value === 'string' && /^\d{1,4}$/.test(value) ? value : 0);
  if (limit >= 1 && limit <= maxLimit) return limit;
  return reject('limit', `This must be an integer from 1 to ${maxLimit}.`);
}

function positionOf(query: JsonObject, name: 'after_id' | 'before_id'): number | undefined {
  const id = query[name];
  if (id === undefined) return undefined;
  if (isModel(id)) return modelNames.indexOf(id);
  return reject(name, 'This must be the id of a model.');
}
