/**
 * Users of SDKs who check nothing: each streams a response, and continues with what the SDK returns.
 */

import { aiUser } from './ai-user.js';
import { anthropicUser } from './anthropic-user.js';
import { geminiUser } from './gemini-user.js';
import { langchainUser } from './langchain-user.js';
import { ollamaUser } from './ollama-user.js';
import { openaiChatUser, openaiResponsesUser } from './openai-users.js';

/** @import { Begin, Load } from './weather-tool.js' */

/** @type {Readonly<Record<string, (load: Load) => Promise<Begin>>>} */
export const users = {
  'openai-chat': openaiChatUser,
  'openai-responses': openaiResponsesUser,
  anthropic: anthropicUser,
  'ai-openai-chat': (load) => aiUser(load, 'chat'),
  'ai-openai-responses': (load) => aiUser(load, 'responses'),
  'ai-anthropic': (load) => aiUser(load, 'messages'),
  'langchain-openai-chat': (load) => langchainUser(load, 'chat'),
  'langchain-openai-responses': (load) => langchainUser(load, 'responses'),
  'langchain-anthropic': (load) => langchainUser(load, 'messages'),
  gemini: geminiUser,
  'ai-google': (load) => aiUser(load, 'gemini'),
  ollama: ollamaUser,
};
