/** The message that responds to a request. */

import { isObject, type JsonObject } from '#base/json-object.js';
import type { Completion, StopReason, ToolCall } from '../messages/conversation.js';
import type { Stamp } from '../messages/provider.js';
import { signThinking } from '../messages/signature.js';
import type { Thinking } from './request/thinking.js';
import type { Version } from './version.js';

/** Parts of a request that shape its response. */
export interface ResponseContext {
  readonly model: string;
  readonly version: Version;
  readonly thinking: Thinking;
  readonly region: string | null;
}

export const stopReasons: Readonly<Record<StopReason, string>> = {
  end: 'end_turn',
  length: 'max_tokens',
  stop: 'stop_sequence',
  tools: 'tool_use',
  refusal: 'refusal',
  pause: 'pause_turn',
  window: 'model_context_window_exceeded',
  ...{ filter: 'refusal', recitation: 'refusal', malformed: 'end_turn' },
};

export function writeMessage(
  completion: Completion,
  context: ResponseContext,
  stamp: Stamp,
): JsonObject {
  return {
    ...messageHead(context, stamp),
    content: contentOf(completion, context),
    ...stopOf(completion),
    usage: usageOf(completion, context),
  };
}

/** Members that are known before the content. */
export function messageHead({ model }: ResponseContext, stamp: Stamp): JsonObject {
  return {
    id: `msg_01${stamp.id(22)}`,
    type: 'message',
    role: 'assistant',
    model,
    container: null,
    diagnostics: null,
  };
}

export function stopOf({ stop, stopSequence }: Completion): JsonObject {
  return {
    stop_reason: stopReasons[stop],
    stop_sequence: stopSequence ?? null,
    stop_details:
      stopReasons[stop] === 'refusal'
        ? { type: 'refusal', category: null, explanation: null }
        : null,
  };
}

export function usageOf({ usage }: Completion, { region }: ResponseContext): JsonObject {
  return {
    input_tokens: usage.input,
    ...cacheUsage,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.thinking },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: region,
    speed: null,
  };
}

/** Counts of the end of a stream. */
export function finalUsage({ usage }: Completion): JsonObject {
  return {
    input_tokens: usage.input,
    ...cacheUsage,
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.thinking },
    server_tool_use: null,
  };
}

const cacheUsage = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 } as const;

/** Text of the completion, or of its refusal. */
export function visibleTextOf({ text, refusal }: Completion): string {
  return refusal ?? text;
}

/**
 * Returns the text of the thinking block; `undefined` without such a block. With `enabled`, there
 * always is one, because the next request must repeat it.
 */
export function thinkingOf(
  { thinking: text }: Completion,
  { thinking }: ResponseContext,
): string | undefined {
  if (text === '' && thinking.type !== 'enabled') return undefined;
  return thinking.isOmitted ? '' : text;
}

function contentOf(completion: Completion, context: ResponseContext): readonly JsonObject[] {
  const thinking = thinkingOf(completion, context);
  const text = visibleTextOf(completion);
  return [
    ...(thinking === undefined
      ? []
      : [{ type: 'thinking', thinking, signature: signThinking(thinking) }]),
    ...(text === '' ? [] : [writeText(text, context)]),
    ...completion.calls.map((call) => writeCall(call, inputOf(call))),
  ];
}

/** Responses of the older version omit absent citations; some clients reject null there. */
export function writeText(text: string, { version }: ResponseContext): JsonObject {
  return { type: 'text', text, ...(version !== '2023-06-01' && { citations: null }) };
}

export function writeCall({ id, name }: ToolCall, input: JsonObject): JsonObject {
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } };
}

/** Returns an empty object for arguments that were cut. */
function inputOf(call: ToolCall): JsonObject {
  try {
    const input: unknown = JSON.parse(call.arguments);
    return isObject(input) ? input : {};
  } catch {
    return {};
  }
}
