/** A user of the packages `@langchain/openai` and `@langchain/anthropic`. */

import { keys, timeout, tool, weatherOf } from './weather-tool.js';

/** @import { Begin, Load } from './weather-tool.js' */

/**
 * @param {Load} load
 * @param {'chat' | 'responses' | 'messages'} endpoint
 * @returns {Promise<Begin>}
 */
export async function langchainUser(load, endpoint) {
  const { HumanMessage, ToolMessage } = await load('@langchain/core/messages');
  const chatOf = await chatMaker(load, endpoint);
  return async ({ prompt, hasTool, result, ...urls }) => {
    const chat = chatOf(urls);
    const { parameters: schema, ...named } = tool;
    const bound = hasTool ? chat.bindTools([{ ...named, schema }]) : chat;
    const messages = [new HumanMessage(prompt)];
    /** @type {any} */
    let reply;
    for await (const chunk of await bound.stream(messages)) {
      reply = reply === undefined ? chunk : reply.concat(chunk);
    }
    const results = (reply?.tool_calls ?? []).map(
      (/** @type {any} */ { id, args }) =>
        new ToolMessage({ tool_call_id: id, content: weatherOf(args, result) }),
    );
    const next = results.length > 0 ? results : [new HumanMessage('Thanks')];
    return () => bound.invoke([...messages, ...(reply ? [reply] : []), ...next]);
  };
}

/**
 * @param {Load} load
 * @param {'chat' | 'responses' | 'messages'} endpoint
 */
async function chatMaker(load, endpoint) {
  const model = 'practice-1';
  if (endpoint === 'messages') {
    const { ChatAnthropic } = await load('@langchain/anthropic');
    return (/** @type {{anthropic: string}} */ { anthropic }) =>
      new ChatAnthropic({
        ...{ model, apiKey: keys.anthropic, maxTokens: 1000 },
        anthropicApiUrl: anthropic,
        clientOptions: { timeout },
      });
  }
  const { ChatOpenAI } = await load('@langchain/openai');
  const useResponsesApi = endpoint === 'responses';
  return (/** @type {{openai: string}} */ { openai }) => {
    const configuration = { baseURL: openai };
    return new ChatOpenAI({ model, apiKey: keys.openai, useResponsesApi, configuration, timeout });
  };
}
