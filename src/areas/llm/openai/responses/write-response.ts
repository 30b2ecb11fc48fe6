/** Writes responses. */

import type { JsonObject } from '#base/json-object.js';
import type { Completion, StopReason, Usage } from '../../messages/conversation.js';
import type { Stamp } from '../../messages/provider.js';
import { writeTokens } from '../../model/logprobs.js';
import { encryptReasoning } from './encrypted-reasoning.js';
import type { ResponseRequest } from './read-response.js';
import { alternativesIn } from './response-body.js';

/** Why a response is incomplete, by the reason of its end. */
const incompleteReasons: Readonly<Partial<Record<StopReason, string>>> = {
  length: 'max_output_tokens',
  window: 'max_output_tokens',
  filter: 'content_filter',
  recitation: 'content_filter',
};

export function writeResponse(
  { body, given, conversation }: Pick<ResponseRequest, 'body' | 'given' | 'conversation'>,
  completion: Completion,
  stamp: Stamp,
): JsonObject {
  const createdAt = Math.floor(stamp.nowMs / 1000);
  const reason = incompleteReasons[completion.stop];
  const isCut = reason !== undefined;
  return {
    id: `resp_${stamp.id(48)}`,
    object: 'response',
    created_at: createdAt,
    status: isCut ? 'incomplete' : 'completed',
    background: body.background ?? false,
    completed_at: isCut ? null : createdAt,
    error: null,
    incomplete_details: isCut ? { reason } : null,
    output: outputOf(completion, { body, conversation }, stamp),
    ...repeated(body, given),
    usage: usageOf(completion.usage),
  };
}

/** Members of the request, with their defaults. */
function repeated(body: ResponseRequest['body'], given: JsonObject): JsonObject {
  const { effort = null, summary = null } = body.reasoning ?? {};
  return {
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    model: body.model,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    prompt_cache_retention: body.prompt_cache_retention ?? null,
    reasoning: { effort, summary },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: 'default',
    temperature: body.temperature ?? 1,
    text: {
      format: body.text?.format?.given ?? { type: 'text' },
      verbosity: body.text?.verbosity ?? 'medium',
    },
    tool_choice: given.tool_choice ?? 'auto',
    tools: (body.tools ?? []).map((tool, index) => toolOf(tool, given.tools, index)),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    ...(body.user !== undefined && { user: body.user }),
  };
}

function toolOf(
  tool: NonNullable<ResponseRequest['body']['tools']>[number],
  given: unknown,
  index: number,
): unknown {
  if (!('parameters' in tool)) return (given as readonly unknown[])[index];
  const { name, description = null, parameters = null, strict = false } = tool;
  return { type: 'function', name, description, parameters, strict };
}

function usageOf({ input, output, thinking }: Usage): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thinking },
    total_tokens: input + output,
  };
}

function outputOf(
  completion: Completion,
  { body, conversation: { tools } }: Pick<ResponseRequest, 'body' | 'conversation'>,
  stamp: Stamp,
): readonly JsonObject[] {
  const { thinking, calls } = completion;
  const items: JsonObject[] = [];
  if (thinking !== '') items.push(reasoningOf(thinking, body, stamp));
  if (hasMessage(completion)) items.push(messageOf(completion, alternativesIn(body), stamp));
  for (const { id, name, arguments: text } of calls) {
    const item = { id: `fc_${stamp.id(48)}`, type: 'function_call', status: 'completed' };
    const { namespace } = tools.find((tool) => tool.name === name) ?? {};
    items.push({ ...item, call_id: id, name, ...(namespace && { namespace }), arguments: text });
  }
  const last = items.at(-1);
  const isCut = completion.stop in incompleteReasons && last?.status === 'completed';
  return isCut ? [...items.slice(0, -1), { ...last, status: 'incomplete' }] : items;
}

function hasMessage({ text, refusal, calls, thinking, stop }: Completion): boolean {
  if (text !== '' || refusal !== undefined) return true;
  return calls.length === 0 && !(stop === 'length' && thinking !== '');
}

function messageOf(
  { text, refusal }: Completion,
  alternatives: number | undefined,
  stamp: Stamp,
): JsonObject {
  const logprobs = alternatives === undefined ? [] : writeTokens(text, alternatives);
  const part =
    refusal === undefined
      ? { type: 'output_text', text, annotations: [], logprobs }
      : { type: 'refusal', refusal };
  const id = `msg_${stamp.id(48)}`;
  return { id, type: 'message', status: 'completed', role: 'assistant', content: [part] };
}

/** Adds the summary and the encrypted content on request. */
function reasoningOf(thinking: string, body: ResponseRequest['body'], stamp: Stamp): JsonObject {
  const { summary, generate_summary: oldSummary } = body.reasoning ?? {};
  const isShown = (summary ?? oldSummary) !== undefined;
  const texts = isShown ? [{ type: 'summary_text', text: thinking }] : [];
  const isEncrypted = body.include?.includes('reasoning.encrypted_content') === true;
  return {
    id: `rs_${stamp.id(48)}`,
    type: 'reasoning',
    summary: texts,
    ...(isEncrypted && { encrypted_content: encryptReasoning(thinking, texts) }),
  };
}
