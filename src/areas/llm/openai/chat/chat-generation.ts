/** The endpoint of chat completions. */

import type { Generation } from '../../messages/provider.js';
import { chatEvents } from './chat-events.js';
import { readChat } from './read-chat.js';
import { writeCompletion } from './write-completion.js';

export const chatGeneration: Generation = {
  kind: 'chat',
  example: { messages: [{ role: 'user', content: 'What is the capital of Norway?' }] },
  async read(body) {
    const { conversation, count, isStream, hasUsage, logprobs } = readChat(body);
    const { model } = conversation;
    return {
      conversation,
      isStream,
      count,
      logprobs,
      respond: (completions, stamp) => writeCompletion({ model, logprobs }, completions, stamp),
      events: (completions, stamp) => chatEvents({ model, hasUsage, logprobs }, completions, stamp),
    };
  },
};
