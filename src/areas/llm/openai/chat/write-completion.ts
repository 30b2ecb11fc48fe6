/** Writes chat completions. */

import type { JsonObject } from '#base/json-object.js';
import type { Completion, StopReason, ToolCall } from '../../messages/conversation.js';
import type { Stamp } from '../../messages/provider.js';

import { writeLogprobs } from './write-logprobs.js';

/** Members that a completion and its chunks share. */
export function headOf(model: string, object: string, stamp: Stamp): JsonObject {
  return {
    id: `chatcmpl-${stamp.id(29)}`,
    object,
    created: Math.floor(stamp.nowMs / 1000),
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_practice1',
  };
}

export const finishReasons: Readonly<Record<StopReason, string>> = {
  end: 'stop',
  stop: 'stop',
  length: 'length',
  tools: 'tool_calls',
  refusal: 'stop',
  window: 'length',
  ...{ filter: 'content_filter', recitation: 'content_filter', malformed: 'stop', pause: 'stop' },
};

export function callOf({ id, name, arguments: text }: ToolCall): JsonObject {
  return { id, type: 'function', function: { name, arguments: text } };
}

export function usageOf(completions: readonly Completion[]): JsonObject {
  const prompt = completions[0]?.usage.input ?? 0;
  const completion = completions.reduce((sum, { usage }) => sum + usage.output, 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: completions.reduce((sum, { usage }) => sum + usage.thinking, 0),
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** Returns null beside calls, or beside a rejection, without a text. */
export function contentOf({ text, calls, refusal }: Completion): string | null {
  return text === '' && (calls.length > 0 || refusal !== undefined) ? null : text;
}

export function writeCompletion(
  { model, logprobs }: { readonly model: string; readonly logprobs?: number | undefined },
  completions: readonly Completion[],
  stamp: Stamp,
): JsonObject {
  return {
    ...headOf(model, 'chat.completion', stamp),
    choices: completions.map((completion, index) => ({
      index,
      message: {
        role: 'assistant',
        content: contentOf(completion),
        refusal: completion.refusal ?? null,
        annotations: [],
        ...(completion.calls.length > 0 && { tool_calls: completion.calls.map(callOf) }),
      },
      logprobs: writeLogprobs(completion, logprobs),
      finish_reason: finishReasons[completion.stop],
    })),
    usage: usageOf(completions),
  };
}
