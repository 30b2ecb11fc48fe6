/** Reads requests for chat completions. */

import type { JsonObject } from '#base/json-object.js';
import type { Conversation, ToolSpec } from '../../messages/conversation.js';
import { models } from '../../messages/models.js';
import { countPrompt } from '../../model/tokens.js';
import { maxTokensOf } from '../read/common.js';
import { fieldOf, invalid, unsupported } from '../read/faults.js';
import { choose, toolsOf } from '../read/tools.js';
import { type ChatBody, chatBody } from './chat-body.js';
import { pairCalls } from './pair-calls.js';

export interface ChatRequest {
  readonly conversation: Conversation;
  readonly count: number;
  readonly isStream: boolean;
  readonly hasUsage: boolean;
  /** Number of alternatives of each token; absent without log probabilities. */
  readonly logprobs?: number | undefined;
}

export function readChat(given: JsonObject): ChatRequest {
  const body = chatBody(fieldOf(given));
  rejectCombinations(body);
  pairCalls(body.messages);
  const allTools = toolsOf(body.tools ?? [], (index) => `tools[${index}].function.parameters`);
  const { tools, toolChoice } = choose(allTools, body.tool_choice);
  return {
    conversation: {
      model: body.model,
      turns: body.messages,
      tools,
      toolChoice,
      format: body.response_format?.format,
      maxTokens: maxTokens(body, allTools),
      stop: body.stop ?? [],
      thinks: models[body.model].canThink && body.reasoning_effort !== 'none',
      seed: body.seed,
    },
    count: body.n ?? 1,
    isStream: body.stream === true,
    hasUsage: body.stream_options?.include_usage === true,
    ...(body.logprobs === true && { logprobs: body.top_logprobs ?? 0 }),
  };
}

function maxTokens(body: ChatBody, tools: readonly ToolSpec[]): number {
  const isOld = body.max_tokens !== undefined;
  return maxTokensOf({
    model: body.model,
    promptTokens: countPrompt({ turns: body.messages, tools }),
    requested: {
      path: isOld ? 'max_tokens' : 'max_completion_tokens',
      value: body.max_tokens ?? body.max_completion_tokens,
    },
    prompt: 'messages',
  });
}

function rejectCombinations(body: ChatBody): void {
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) {
    const message = "Use 'max_tokens' or 'max_completion_tokens', not both.";
    throw invalid('max_tokens', 'invalid_parameter_combination', message);
  }
  if (body.stream_options !== undefined && body.stream !== true) {
    throw invalid('stream_options', null, "'stream_options' needs 'stream': true.");
  }
  if (body.top_logprobs !== undefined && body.logprobs !== true) {
    throw invalid('top_logprobs', null, "'top_logprobs' needs 'logprobs': true.");
  }
  const { reasoning_effort: effort = 'none' } = body;
  if (effort !== 'none' && !models[body.model].canThink) {
    throw unsupported('reasoning_effort', `${body.model} does not think; use practice-1-thinking.`);
  }
  rejectWithoutTools(body);
  const hasWord = () => body.messages.some(({ text }) => /json/i.test(text));
  if (body.response_format?.needsWord === true && !hasWord()) {
    const message = "The messages must contain the word 'json' for the format json_object.";
    throw invalid('messages', null, message);
  }
}

function rejectWithoutTools(body: ChatBody): void {
  if (body.tools !== undefined) return;
  for (const name of ['tool_choice', 'parallel_tool_calls'] as const) {
    if (body[name] !== undefined) throw invalid(name, null, `'${name}' needs 'tools'.`);
  }
}
