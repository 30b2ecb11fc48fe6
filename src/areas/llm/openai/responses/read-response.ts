/** Reads requests for responses. */

import type { JsonObject } from '#base/json-object.js';
import type { Field } from '#kit/input/fields/reader.js';
import { type Sandbox, sharedSandboxName } from '#state/state.js';
import type { Conversation, ToolSpec, Turn } from '../../messages/conversation.js';
import { models } from '../../messages/models.js';
import { countPrompt } from '../../model/tokens.js';
import { maxTokensOf } from '../read/common.js';
import { fieldOf, invalid, unsupported } from '../read/faults.js';
import { functionsOf } from '../read/response-tools.js';
import { choose, toolsOf } from '../read/tools.js';
import { checkReasoning } from './check-reasoning.js';
import { fitTurns, maxCharacters, pairItems, tooLong } from './item-turns.js';
import { type InputItem, inputItem, unknownItem } from './read-item.js';
import { type ResponseBody, responseBody } from './response-body.js';
import { findItem, turnsUntil } from './stored-responses.js';

export interface ResponseRequest {
  readonly body: ResponseBody;
  /** The unread body, whose tools and choices the response repeats. */
  readonly given: JsonObject;
  readonly conversation: Conversation;
  readonly items: readonly JsonObject[];
  /** Turns of the input. */
  readonly turns: readonly Turn[];
}

export async function readResponse(given: JsonObject, sandbox: Sandbox): Promise<ResponseRequest> {
  const body = responseBody(fieldOf(given));
  rejectCombinations(body);
  const items = await resolveReferences(body.input, sandbox);
  await checkReasoning(items, body.store !== false, sandbox);
  const turns = items.flatMap(({ turn }, index) => {
    const hasThinking = items[index - 1]?.reasoning !== undefined;
    return turn === undefined ? [] : { ...turn, ...(hasThinking && { hasThinking }) };
  });
  const before = await turnsUntil(sandbox, body.previous_response_id, turns);
  pairItems([...before, ...turns]);
  const instructions: readonly Turn[] =
    body.instructions === undefined ? [] : [{ role: 'system', text: body.instructions }];
  const all = [...instructions, ...before, ...turns];
  return {
    body,
    given,
    conversation: conversationOf(body, all, toolsIn(body, items)),
    items: items.map(({ item }) => item),
    turns,
  };
}

/** Returns the tools of the request, then those that items of its input add. */
function toolsIn({ tools = [] }: ResponseBody, items: readonly InputItem[]): readonly ToolSpec[] {
  const lists = [{ path: 'tools', tools }, ...items.flatMap(({ added }) => added ?? [])];
  const functions = lists.flatMap(functionsOf);
  return toolsOf(functions, (index) => functions[index]?.path ?? '');
}

function conversationOf(
  body: ResponseBody,
  turns: readonly Turn[],
  allTools: readonly ToolSpec[],
): Conversation {
  const { model, text, reasoning, max_output_tokens: value } = body;
  const isCut = body.truncation === 'auto';
  const room =
    models[model].contextTokens - (value ?? 1) - countPrompt({ turns: [], tools: allTools });
  const kept = isCut ? fitTurns(turns, room) : turns;
  requireWord(body, kept);
  return {
    model,
    turns: kept,
    ...choose(allTools, body.tool_choice),
    format: text?.format?.format,
    maxTokens: maxTokensOf({
      model,
      promptTokens: countPrompt({ turns: kept, tools: allTools }),
      requested: { path: 'max_output_tokens', value },
      prompt: 'input',
    }),
    stop: [],
    thinks: models[model].canThink && reasoning?.effort !== 'none',
  };
}

async function resolveReferences(
  items: readonly InputItem[],
  sandbox: Sandbox,
): Promise<readonly InputItem[]> {
  const resolved: InputItem[] = [];
  let characters = 0;
  for (const item of items) {
    const { reference } = item;
    if (reference === undefined) {
      resolved.push(item);
      continue;
    }
    const value = await referredItem(reference, sandbox);
    characters += JSON.stringify(value).length;
    if (characters > maxCharacters) throw tooLong(reference.path);
    resolved.push(inputItem({ ...reference, value }));
  }
  return resolved;
}

async function referredItem(reference: Field, sandbox: Sandbox): Promise<JsonObject> {
  if (sandbox.name === sharedSandboxName) {
    const message = 'Item references need your own sandbox: use /s/name/llm/openai/v1.';
    throw invalid(reference.path, 'unsupported_value', message);
  }
  const item = await findItem(sandbox, String(reference.value));
  if (item === undefined) throw unknownItem(reference);
  return item;
}

function rejectCombinations(body: ResponseBody): void {
  if (body.stream_options !== undefined && body.stream !== true) {
    throw invalid('stream_options', null, "'stream_options' needs 'stream': true.");
  }
  if (body.background === true && body.store === false) {
    throw invalid('background', null, "'background' needs 'store': true.");
  }
  if (body.background === true && body.stream === true) {
    throw invalid('background', 'unsupported_value', "Use 'background' or 'stream', not both.");
  }
  const { canThink } = models[body.model];
  const { effort = 'none', summary } = body.reasoning ?? {};
  if (canThink || (effort === 'none' && summary === undefined)) return;
  const name = summary === undefined ? 'reasoning.effort' : 'reasoning.summary';
  throw unsupported(name, `${body.model} does not think; use practice-1-thinking.`);
}

function requireWord(body: ResponseBody, turns: readonly Turn[]): void {
  if (body.text?.format?.format !== 'json') return;
  if (turns.some(({ text }) => /json/i.test(text))) return;
  const message = "The input must contain the word 'json' for the format json_object.";
  throw invalid('input', null, message);
}
