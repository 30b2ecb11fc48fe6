/** Reads the body of a request for a message, or for its tokens. */

import type { JsonObject } from '../../../../base/json-object.js';
import type { Request } from '../../../../http/exchange.js';
import type { Conversation, Turn } from '../../messages/conversation.js';
import { mistake } from '../../messages/mistake.js';
import { isModel, type ModelName, models } from '../../messages/models.js';
import { fieldOf, filledText, integer, type Part, readPart, reject, required } from '../fields.js';
import { versionOf } from '../version.js';
import type { Block } from './blocks.js';
import { readContent, textOf } from './media.js';
import { type Message, readMessages } from './messages.js';
import {
  checkCommonOptions,
  checkSampling,
  commonFields,
  messageFields,
  readFormat,
  readOptions,
  readStopSequences,
  readStream,
  samplingFields,
} from './options.js';
import { checkPairs, combine } from './pairs.js';
import { checkWithThinking, readThinking, type Thinking } from './thinking.js';
import { readToolChoice, readTools } from './tools.js';
import { rejectThread } from './unsupported.js';

export interface MessageRequest {
  readonly conversation: Conversation;
  readonly thinking: Thinking;
  /** Region of the inference, which the usage repeats. */
  readonly region: string | null;
  readonly isStream: boolean;
}

export function readMessageRequest(body: JsonObject, request: Request): MessageRequest {
  const version = versionOf(request);
  const sampling = version === '2023-06-01' ? samplingFields : [];
  const part = readPart(body, '', [...messageFields, ...sampling]);
  rejectThread(part);
  const model = readModel(part);
  const { maxOutputTokens } = models[model];
  const maxTokens = required(part, 'max_tokens', integer(1, maxOutputTokens));
  const read = readConversation({ part, model, request, maxTokens });
  const region = readOptions(part);
  checkSampling(part, read.thinking);
  const stop = readStopSequences(part);
  return {
    conversation: { ...read.conversation, stop },
    thinking: read.thinking,
    region,
    isStream: readStream(part),
  };
}

export function readCountRequest(body: JsonObject, request: Request): Conversation {
  const part = readPart(body, '', commonFields);
  return readConversation({ part, model: readModel(part), request }).conversation;
}

function readModel(part: Part): ModelName {
  const model = required(part, 'model', filledText);
  if (isModel(model)) return model;
  const message = `Unknown model; use one of ${Object.keys(models).join(', ')}.`;
  throw mistake(404, message, { param: 'model' });
}

interface Reading {
  readonly part: Part;
  readonly model: ModelName;
  readonly request: Request;
  readonly maxTokens?: number;
}

function readConversation({ part, model, request, maxTokens }: Reading): {
  readonly conversation: Conversation;
  readonly thinking: Thinking;
} {
  checkCommonOptions(part);
  const separate = readMessages(part, versionOf(request));
  const system = readSystem(part);
  const tools = readTools(part);
  const toolChoice = readToolChoice(part, tools);
  const thinking = readThinking(part, model, maxTokens);
  const format = readFormat(part);
  const messages = combine(separate);
  checkPairs(messages);
  checkWithThinking(thinking, messages, toolChoice);
  const last = messages.at(-1);
  if (format !== undefined && last?.role === 'assistant') {
    reject(last.path, 'With a format, the last message must be from the user.');
  }
  const conversation = {
    model,
    turns: [...system, ...messages.map(turnOf)],
    tools,
    toolChoice,
    format,
    maxTokens,
    stop: [],
    thinks: thinking.type !== 'disabled',
  };
  return { conversation, thinking };
}

function readSystem(part: Part): readonly Turn[] {
  const value = fieldOf(part, 'system');
  if (value === undefined || value === '') return [];
  return [{ role: 'system', text: readContent(value, 'system', ['text']) }];
}

function turnOf({ role, blocks }: Message): Turn {
  const calls = blocks.flatMap((block: Block) => (block.kind === 'call' ? [block.call] : []));
  const results = blocks.flatMap((block: Block) => (block.kind === 'result' ? [block.result] : []));
  return {
    role,
    text: textOf(blocks),
    ...(calls.length > 0 && { calls }),
    ...(results.length > 0 && { results }),
    ...(blocks.some(({ kind }) => kind === 'thinking') && { hasThinking: true }),
  };
}
