/** Bodies of chats and of generations of Ollama. */

import type { JsonObject } from '#base/json-object.js';
import { array, openObject as object, record } from '#kit/input/fields/parts.js';
import { mapped, maybe, titled, type ValueOf } from '#kit/input/fields/reader.js';
import { boolean, integer, text } from '#kit/input/fields/values.js';
import type { Conversation, ToolCall, ToolSpec, Turn } from '../messages/conversation.js';
import { mistake, reject } from '../messages/mistake.js';
import { models } from '../messages/models.js';
import { idAt, takeCall } from '../messages/positions.js';
import { jsonSchema } from '../messages/schemas.js';
import { countPrompt } from '../model/tokens.js';
import { fieldOf } from './faults.js';
import { admit, common, images, modelOf, readThinking, requireWriter } from './options.js';

const calledFunction = object({
  index: maybe(integer({ min: 0 })),
  name: text(),
  arguments: record,
});

const messageBody = object({
  role: text({ examples: ['user'] }),
  content: maybe(text()),
  thinking: maybe(text()),
  images,
  tool_calls: maybe(array(object({ id: maybe(text()), function: calledFunction }))),
  tool_name: maybe(text()),
  tool_call_id: maybe(text()),
});

type Message = ValueOf<typeof messageBody>;

const parameters = mapped(jsonSchema, (schema): JsonObject => ({ type: 'object', ...schema }));

const tool = mapped(
  object({
    type: maybe(text()),
    function: object({
      name: maybe(text()),
      description: maybe(text()),
      parameters: maybe(parameters),
    }),
  }),
  ({ function: given }, { path }) => {
    const { name = '', description = '', parameters: schema = { type: 'object' } } = given;
    return { name, description, schema, path: `${path}.function.parameters` };
  },
);

const tools = mapped(array(tool), (given): readonly ToolSpec[] => {
  admit(given.map(({ path, schema }) => [path, schema]));
  return given.map(({ path: _, ...spec }) => spec);
});

export const chatBody = titled(
  'LlmOllamaChat',
  object({
    model: modelOf(400),
    messages: maybe(array(messageBody)),
    tools: maybe(tools),
    ...common,
  }),
);

export const generateBody = titled(
  'LlmOllamaGenerate',
  object({
    model: modelOf(404),
    prompt: maybe(text()),
    suffix: maybe(text()),
    system: maybe(text()),
    template: maybe(text()),
    context: maybe(array(integer({ min: 0 }))),
    raw: maybe(boolean),
    images,
    ...common,
  }),
);

type Common = Omit<ValueOf<typeof chatBody>, 'messages' | 'tools' | 'model'>;

export interface OllamaRequest {
  /** The name of the model in the request, perhaps with a tag. */
  readonly name: string;
  readonly conversation: Conversation;
  readonly isStream: boolean;
  /** Time that the model remains loaded. */
  readonly keepAliveMs: number;
  /** Whether nothing is to be written: the model is only loaded, or unloaded. */
  readonly onlyLoads: boolean;
  /** Number of alternatives of each token; absent without log probabilities. */
  readonly logprobs?: number | undefined;
  readonly contextTokens: number;
}

const usualKeepAliveMs = 5 * 60_000;

function requestOf(
  name: string,
  what: string,
  given: Common,
  { turns, tools: all = [] }: { turns: readonly Turn[]; tools?: readonly ToolSpec[] | undefined },
): OllamaRequest {
  const model = requireWriter(name, what);
  const { options, think, logprobs, top_logprobs: top = 0, stream = true } = given;
  const { num_predict: most = -1, num_ctx: context = 0, stop = [], seed } = options ?? {};
  const { contextTokens } = models[model];
  const conversation: Conversation = {
    ...{ model, turns, tools: all, toolChoice: 'auto', format: given.format, stop },
    // Negative ones have no limit.
    maxTokens: most < 0 ? undefined : Math.max(1, most),
    thinks: readThinking(name, think),
    seed,
  };
  const own = context > 0 ? Math.min(context, contextTokens) : contextTokens;
  if (given.truncate === false && countPrompt(conversation) > own) {
    throw mistake(400, `The prompt has more than ${own} tokens, the length of the context.`);
  }
  return {
    ...{ name, conversation, isStream: stream, contextTokens: own, onlyLoads: turns.length === 0 },
    keepAliveMs: given.keep_alive ?? usualKeepAliveMs,
    ...(logprobs === true && { logprobs: top }),
  };
}

export function readChat(given: JsonObject): OllamaRequest {
  const { model, messages = [], tools: all, ...others } = chatBody(fieldOf(given));
  return requestOf(model, 'chat', others, { turns: turnsOf(messages), tools: all });
}

function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = [];
  const open: ToolCall[] = [];
  let place = 0;
  for (const { role: given, content = '', tool_calls: made = [], ...each } of messages) {
    const role = given.toLowerCase();
    if (role === 'tool') {
      const call = takeCall(open, { id: undefined, name: each.tool_name });
      // The provider pairs nothing, so a result without a call is only a text.
      const results = call && [{ id: call.id, text: content }];
      turns.push({ role: 'tool', text: call ? '' : content, ...(results && { results }) });
      continue;
    }
    const calls = made.map(({ function: called }) => ({
      ...{ id: idAt(place++), name: called.name },
      arguments: JSON.stringify(called.arguments),
    }));
    open.push(...calls);
    turns.push({
      role: role === 'assistant' || role === 'system' ? role : 'user',
      text: content,
      ...(calls.length > 0 && { calls }),
    });
  }
  return turns;
}

export function readGenerate(given: JsonObject): OllamaRequest {
  const {
    model,
    prompt = '',
    suffix,
    system,
    template,
    context,
    raw,
    images: _,
    ...others
  } = generateBody(fieldOf(given));
  if (raw === true && (system || template || (context ?? []).length > 0)) {
    throw mistake(400, 'With raw, send no template, system or context.', { param: 'raw' });
  }
  if (suffix) {
    throw mistake(400, `"${model}" does not support insert. Send no suffix.`, { param: 'suffix' });
  }
  const own: readonly Turn[] = prompt === '' ? [] : [{ role: 'user', text: prompt }];
  const before = context === undefined ? [] : turnsIn(context);
  const first: readonly Turn[] = system ? [{ role: 'system', text: system }] : [];
  const turns = own.length === 0 ? [] : [...first, ...before, ...own];
  return requestOf(model, 'generate', others, { turns });
}

const maxContext = 16_384;

/** The context of a generation: the characters of its turns as numbers. */
export function contextOf(turns: readonly Turn[]): readonly number[] {
  const text = JSON.stringify(turns.map(({ role, text: each }) => [role, each]));
  return text.length > maxContext ? [] : Array.from(text, (each) => each.codePointAt(0) ?? 0);
}

function turnsIn(context: readonly number[]): readonly Turn[] {
  try {
    const value: unknown = JSON.parse(context.map((each) => String.fromCodePoint(each)).join(''));
    return (value as readonly (readonly [Turn['role'], string])[]).map(([role, text]) => ({
      ...{ role: role === 'assistant' ? role : 'user', text: String(text) },
    }));
  } catch {
    return reject('context', 'must be the context of a response.');
  }
}
