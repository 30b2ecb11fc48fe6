/** Creates a message that continues a conversation. */

import type { Completion, Conversation } from '../messages/conversation.js';
import { mistake } from '../messages/mistake.js';
import { models } from '../messages/models.js';
import type { Generation } from '../messages/provider.js';
import { countPrompt } from '../model/tokens.js';
import { readMessageRequest } from './request/read-request.js';
import { type ResponseContext, writeMessage } from './response.js';
import { streamMessage } from './stream.js';
import { versionOf } from './version.js';

export const createMessage: Generation = {
  kind: 'messages',
  example: {
    max_tokens: 100,
    messages: [{ role: 'user', content: 'What is the capital of Norway?' }],
  },
  async read(body, request) {
    const { conversation, thinking, region, isStream } = readMessageRequest(body, request);
    const { model } = conversation;
    requireRoom(conversation);
    const context: ResponseContext = {
      model,
      thinking,
      region,
      version: versionOf(request),
    };
    return {
      conversation,
      isStream,
      respond: (completions, stamp) => writeMessage(onlyOf(completions), context, stamp),
      events: (completions, stamp) => streamMessage(onlyOf(completions), context, stamp),
    };
  },
};

function requireRoom(conversation: Conversation): void {
  const { contextTokens } = models[conversation.model];
  const { maxTokens = 0 } = conversation;
  const tokens = countPrompt(conversation);
  if (tokens > contextTokens) {
    throw mistake(
      400,
      `The prompt is too long: it has ${tokens} tokens; ${contextTokens} are allowed.`,
    );
  }
  if (tokens + maxTokens <= contextTokens) return;
  const message = `The context is ${contextTokens} tokens; you requested ${tokens} + ${maxTokens}.`;
  throw mistake(400, message, { param: 'max_tokens' });
}

function onlyOf([completion]: readonly Completion[]): Completion {
  if (completion === undefined) throw new Error('A message has one completion.');
  return completion;
}
