/** Reads the body of a request for a message, or for its tokens. */

import type { JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import {
  type ObjectOf,
  objectSchema,
  readMembers,
  rejectUnknown,
  type Shape,
} from '#kit/input/fields/parts.js';
import type { Conversation, Turn } from '../../messages/conversation.js';
import type { ModelName } from '../../messages/models.js';
import { fieldOf, reject } from '../faults.js';
import { type Version, versionOf } from '../version.js';
import type { Block } from './blocks.js';
import { textOf } from './media.js';
import type { Message } from './messages.js';
import {
  beginning,
  checkSampling,
  conversations,
  ending,
  model,
  options,
  sampling,
} from './options.js';
import { checkPairs, combine } from './pairs.js';
import { checkDoubled, checkWithThinking, noThinking, type Thinking } from './thinking.js';

export interface MessageRequest {
  readonly conversation: Conversation;
  readonly thinking: Thinking;
  /** Region of the inference, which the usage repeats. */
  readonly region: string | null;
  readonly isStream: boolean;
}

export const messageShape = (version: Version): Shape => ({
  ...beginning,
  ...conversations[version],
  ...options,
  ...(version === '2023-06-01' && sampling),
  ...ending,
});

export const countShape = (version: Version): Shape => ({ model, ...conversations[version] });

/** Describes bodies of the older version, which has more members. */
export const messageSchema = {
  title: 'LlmMessageRequest',
  ...objectSchema(messageShape('2023-06-01')),
};

export const countSchema = objectSchema(countShape('2023-06-01'));

export function readMessageRequest(body: JsonObject, request: Request): MessageRequest {
  const version = versionOf(request);
  const field = fieldOf(body);
  rejectUnknown(field, Object.keys(messageShape(version)));
  const begun = readMembers(field, beginning);
  const read = conversationOf(begun, readMembers(field, conversations[version], begun));
  const { inference_geo: region = null } = readMembers(field, options);
  checkSampling(readMembers(field, sampling), read.thinking);
  const { stop_sequences: stop = [], stream: isStream = false } = readMembers(field, ending);
  return {
    conversation: { ...read.conversation, stop },
    thinking: read.thinking,
    region,
    isStream,
  };
}

export function readCountRequest(body: JsonObject, request: Request): Conversation {
  const version = versionOf(request);
  const field = fieldOf(body);
  rejectUnknown(field, Object.keys(countShape(version)));
  const begun = readMembers(field, { model });
  return conversationOf(begun, readMembers(field, conversations[version], begun)).conversation;
}

interface Begun {
  readonly model: ModelName;
  readonly max_tokens?: number;
}

type Read = ObjectOf<(typeof conversations)[Version]>;

/** Checks what is about several members. */
function conversationOf({ model: name, max_tokens: maxTokens }: Begun, read: Read) {
  const { thinking = noThinking, tool_choice: toolChoice = 'auto', output_format: format } = read;
  const messages = combine(read.messages);
  checkPairs(messages);
  checkDoubled(messages);
  checkWithThinking(thinking, messages, toolChoice);
  const last = messages.at(-1);
  if (format !== undefined && last?.role === 'assistant') {
    reject(last.path, 'With a format, the last message must be from the user.');
  }
  const conversation: Conversation = {
    model: name,
    turns: [...systemTurns(read.system), ...messages.map(turnOf)],
    tools: read.tools ?? [],
    toolChoice,
    format,
    maxTokens,
    stop: [],
    thinks: thinking.type !== 'disabled',
  };
  return { conversation, thinking };
}

const systemTurns = (text: string | undefined): readonly Turn[] =>
  text === undefined ? [] : [{ role: 'system', text }];

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
