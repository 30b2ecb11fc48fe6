/** Events that each endpoint has for broken streams. */

import { isObject, type JsonObject } from '#base/json-object.js';
import type { ProviderEvent } from '../messages/provider.js';
import type { Kind, Wanted } from './broken-stream.js';

const message = 'Simulated failure inside the stream.';

const at = 'end' as const;

export const errorEvents: Readonly<Record<Kind, ProviderEvent>> = {
  chat: {
    data: { error: { message, type: 'server_error', param: null, code: 'server_error' } },
    at,
  },
  responses: {
    event: 'error',
    data: { type: 'error', code: 'server_error', message, param: null, sequence_number: 0 },
    at,
  },
  messages: {
    event: 'error',
    data: { type: 'error', error: { type: 'overloaded_error', message }, request_id: null },
    at,
  },
  gemini: { data: { error: { code: 503, message, status: 'UNAVAILABLE' } }, at },
  ollama: { data: { error: message }, at },
};

/** Ends the stream of a response; the connection may remain open. */
export function failedEvent(first: ProviderEvent | undefined): ProviderEvent {
  const data = isObject(first?.data) ? first.data : {};
  const response = isObject(data.response) ? data.response : {};
  const type = 'response.failed';
  const error = { code: 'server_error', message };
  const failed = { ...response, status: 'failed', error };
  return { event: type, data: { type, response: failed, sequence_number: 0 }, at };
}

const unknownType = 'practice.unknown';

export const unknownEvents: Readonly<Record<Kind, ProviderEvent>> = {
  chat: { event: unknownType, data: { object: unknownType, note: 'Ignore this event.' }, at },
  responses: {
    event: unknownType,
    data: { type: unknownType, note: 'Ignore this event.', sequence_number: 0 },
    at,
  },
  messages: { event: unknownType, data: { type: unknownType, note: 'Ignore this event.' }, at },
  gemini: { event: unknownType, data: { practiceNote: 'Ignore this event.' }, at },
  ollama: { data: { practice_note: 'Ignore this line.' }, at },
};

export const isTerminator = ({ data, event }: ProviderEvent): boolean =>
  data === '[DONE]' ||
  event === 'message_stop' ||
  event === 'response.completed' ||
  event === 'response.incomplete' ||
  (isObject(data) && (data.done === true || candidateOf(data)?.finishReason !== undefined));

/** Returns the only candidate of a chunk of Gemini. */
function candidateOf({ candidates }: JsonObject): JsonObject | undefined {
  const [first] = Array.isArray(candidates) ? candidates.filter(isObject) : [];
  return first;
}

/** Changes the candidate of a chunk of Gemini. */
function changeCandidate(event: ProviderEvent, more: JsonObject): ProviderEvent {
  const { data } = event;
  const candidate = isObject(data) ? candidateOf(data) : undefined;
  if (!isObject(data) || candidate === undefined) return event;
  return { ...event, data: { ...data, candidates: [{ ...candidate, ...more }] } };
}

/** Chunks of Gemini and lines of Ollama without content. */
function withoutContent(event: ProviderEvent): ProviderEvent {
  const { data } = event;
  if (!isObject(data)) return event;
  const content = { role: 'model', parts: [{ text: '' }] };
  if ('candidates' in data) return changeCandidate(event, { content });
  const empty = { message: { role: 'assistant', content: '' } };
  return { ...event, data: { ...data, ...('message' in data ? empty : { response: '' }) } };
}

/** Returns the event with other content; events without a delta are unchanged. */
export function withoutDelta(kind: Kind, event: ProviderEvent): ProviderEvent {
  const { data } = event;
  if (!isObject(data)) return event;
  if (kind === 'gemini' || kind === 'ollama') return withoutContent(event);
  if (kind === 'chat') {
    return changeChoice(event, (choice) => ({ ...choice, delta: { content: null } }));
  }
  if (kind === 'responses') {
    return typeof data.delta === 'string' ? { ...event, data: { ...data, delta: '' } } : event;
  }
  const delta = isObject(data.delta) ? data.delta : {};
  const [name] = ['text', 'partial_json', 'thinking'].filter((each) => each in delta);
  if (name === undefined) return event;
  return { ...event, data: { ...data, delta: { ...delta, [name]: '' } } };
}

const wrongIndex = 7;

export function withWrongIndex(kind: Kind, event: ProviderEvent): ProviderEvent {
  const { data } = event;
  if (!isObject(data)) return event;
  if (kind === 'responses') return { ...event, data: { ...data, output_index: wrongIndex } };
  if (kind === 'messages') return { ...event, data: { ...data, index: wrongIndex } };
  if (kind === 'gemini') return changeCandidate(event, { index: wrongIndex });
  return changeChoice(event, (choice) => {
    const delta = isObject(choice.delta) ? choice.delta : {};
    if (!Array.isArray(delta.tool_calls)) return { ...choice, index: wrongIndex };
    const calls = delta.tool_calls.filter(isObject);
    const moved = calls.map((call) => ({ ...call, index: wrongIndex }));
    return { ...choice, delta: { ...delta, tool_calls: moved } };
  });
}

/** Removes the reason why the completion ended. */
export function withoutReason(kind: Kind, event: ProviderEvent): ProviderEvent {
  const { data } = event;
  if (!isObject(data)) return event;
  if (kind === 'chat') {
    return changeChoice(event, (choice) => ({ ...choice, finish_reason: null }));
  }
  if (kind === 'gemini' && isTerminator(event)) {
    return changeCandidate(event, { finishReason: undefined });
  }
  if (kind === 'ollama') return { ...event, data: { ...data, done_reason: undefined } };
  if (event.event !== 'message_delta') return event;
  const delta = isObject(data.delta) ? data.delta : {};
  return { ...event, data: { ...data, delta: { ...delta, stop_reason: null } } };
}

const noCounts = { prompt_eval_count: undefined, eval_count: undefined };

/** Removes the usage; returns `undefined` for an event that has nothing else. */
export function withoutUsage(event: ProviderEvent): ProviderEvent | undefined {
  const { data } = event;
  if (!isObject(data)) return event;
  if ('usageMetadata' in data) return { ...event, data: { ...data, usageMetadata: undefined } };
  if (data.done === true) return { ...event, data: { ...data, ...noCounts } };
  const { usage, response, message: begun, ...others } = data;
  if (isObject(begun)) {
    const { usage: _, ...rest } = begun;
    return { ...event, data: { ...others, message: rest } };
  }
  if (isObject(response)) {
    const { usage: _, ...rest } = response;
    return { ...event, data: { ...others, response: rest } };
  }
  if (usage === undefined || usage === null) return event;
  if (Array.isArray(others.choices) && others.choices.length === 0) return undefined;
  return { ...event, data: others };
}

/** Whether a chunk only reports the usage. */
export function isUsageChunk({ data }: ProviderEvent): boolean {
  return isObject(data) && isObject(data.usage) && Array.isArray(data.choices);
}

/** Chats have it on request. */
export function hasUsage({ kind, body: { stream_options: options } }: Wanted): boolean {
  return kind !== 'chat' || (isObject(options) && options.include_usage === true);
}

/** Changes the first choice of a chunk. */
export function changeChoice(
  event: ProviderEvent,
  change: (choice: JsonObject) => JsonObject,
): ProviderEvent {
  const { data } = event;
  if (!isObject(data) || !Array.isArray(data.choices) || data.choices.length === 0) return event;
  const [first, ...others] = data.choices.filter(isObject);
  return { ...event, data: { ...data, choices: [change(first ?? {}), ...others] } };
}

/** Returns a chunk with the same head, and no choices. */
export function emptyChunk(like: ProviderEvent): ProviderEvent {
  if (!isObject(like.data)) return like;
  const none = 'candidates' in like.data ? { candidates: undefined } : { choices: [] };
  return { ...like, data: { ...like.data, ...none } };
}
