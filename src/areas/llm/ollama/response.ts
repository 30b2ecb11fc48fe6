/** Responses of Ollama, whole and as lines. */

import type { JsonObject } from '#base/json-object.js';
import type { Completion, ToolCall } from '../messages/conversation.js';
import type { Place, ProviderEvent, Stamp } from '../messages/provider.js';
import { writeTokens } from '../model/logprobs.js';
import { parsedArguments } from '../model/parsed-arguments.js';
import { piecesOf } from '../model/tokens.js';
import { contextOf, type OllamaRequest } from './requests.js';

/** Parts of what the model writes: a chat has them in a message, a generation at the top. */
interface Written {
  readonly content: string;
  readonly thinking?: string;
  readonly calls?: readonly JsonObject[];
}

export type Shape = (written: Written) => JsonObject;

export const chatShape: Shape = ({ content, thinking, calls }) => ({
  message: {
    ...{ role: 'assistant', content },
    ...(thinking && { thinking }),
    ...(calls && { tool_calls: calls }),
  },
});

export const generateShape: Shape = ({ content, thinking }) => ({
  ...{ response: content, ...(thinking && { thinking }) },
});

/** Durations follow from the counts, so that they are the same each time. */
const nanosPerToken = { input: 1_000_000, output: 10_000_000 };
const loadNanos = 50_000_000;

function endOf(request: OllamaRequest, { stop, usage }: Completion): JsonObject {
  const input = Math.min(usage.input, request.contextTokens);
  const [prompt, output] = [input * nanosPerToken.input, usage.output * nanosPerToken.output];
  return {
    done: true,
    done_reason: stop === 'length' || stop === 'window' ? 'length' : 'stop',
    total_duration: loadNanos + prompt + output,
    load_duration: loadNanos,
    prompt_eval_count: input,
    prompt_eval_duration: prompt,
    eval_count: usage.output,
    eval_duration: output,
  };
}

const headOf = ({ name }: OllamaRequest, { nowMs }: Stamp) => ({
  ...{ model: name, created_at: new Date(nowMs).toISOString() },
});

const callOf = ({ id, name, arguments: text }: ToolCall, index: number): JsonObject => ({
  id,
  function: { index, name, arguments: parsedArguments(text) },
});

const textOf = ({ text, refusal }: Completion) => (text === '' ? (refusal ?? '') : text);

/** Only generations have a context, which continues them. */
function contextIn(shape: Shape, request: OllamaRequest, completion: Completion): JsonObject {
  if (shape === chatShape) return {};
  const { turns } = request.conversation;
  return { context: contextOf([...turns, { role: 'assistant', text: textOf(completion) }]) };
}

export function writeResponse(
  shape: Shape,
  request: OllamaRequest,
  completion: Completion,
  stamp: Stamp,
): JsonObject {
  const { thinking, calls } = completion;
  const content = textOf(completion);
  const made = calls.length > 0 && { calls: calls.map(callOf) };
  return {
    ...headOf(request, stamp),
    ...shape({ content, thinking, ...made }),
    ...endOf(request, completion),
    ...contextIn(shape, request, completion),
    ...logprobsIn(request, content),
  };
}

export function* streamResponse(
  shape: Shape,
  request: OllamaRequest,
  completion: Completion,
  stamp: Stamp,
): Generator<ProviderEvent> {
  const line = (
    at: Place,
    written: Written,
    more: JsonObject = { done: false },
  ): ProviderEvent => ({
    at,
    data: { ...headOf(request, stamp), ...shape(written), ...more },
  });
  for (const thinking of piecesOf(completion.thinking)) {
    yield line('thinking', { content: '', thinking });
  }
  for (const content of piecesOf(textOf(completion))) {
    yield line('text', { content }, { done: false, ...logprobsIn(request, content) });
  }
  for (const [index, call] of completion.calls.entries()) {
    yield line('arguments', { content: '', calls: [callOf(call, index)] });
  }
  const end = { ...endOf(request, completion), ...contextIn(shape, request, completion) };
  yield line('end', { content: '' }, end);
}

function logprobsIn({ logprobs: count }: OllamaRequest, text: string): JsonObject {
  if (count === undefined || text === '') return {};
  const tokens = writeTokens(text, count);
  return { logprobs: count > 0 ? tokens : tokens.map(({ top_logprobs: _, ...each }) => each) };
}

/** The response to a request that only loads or unloads a model. */
export const writeLoaded = (shape: Shape, request: OllamaRequest, nowMs: number): JsonObject => ({
  ...{ model: request.name, created_at: new Date(nowMs).toISOString() },
  ...shape({ content: '' }),
  ...{ done: true, done_reason: request.keepAliveMs === 0 ? 'unload' : 'load' },
});
