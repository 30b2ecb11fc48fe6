/** A user of the package `ai` and its providers. */

import { keys, timeout, tool, weatherOf } from './weather-tool.js';

/** @import { Begin, Load } from './weather-tool.js' */

/**
 * @param {Load} load
 * @param {'chat' | 'responses' | 'messages'} endpoint
 * @returns {Promise<Begin>}
 */
export async function aiUser(load, endpoint) {
  const { streamText, tool: toolOf, jsonSchema } = await load('ai');
  const { createOpenAI } = await load('@ai-sdk/openai');
  const { createAnthropic } = await load('@ai-sdk/anthropic');
  const silent = { onError: () => {} };
  const weatherWith = (/** @type {string} */ result) =>
    toolOf({
      description: tool.description,
      inputSchema: jsonSchema(tool.parameters),
      execute: async (/** @type {any} */ input) => weatherOf(input, result),
    });
  return async ({ prompt, hasTool, result: returned, openai, anthropic }) => {
    const provider =
      endpoint === 'messages'
        ? createAnthropic({ apiKey: keys.anthropic, baseURL: anthropic })
        : createOpenAI({ apiKey: keys.openai, baseURL: openai });
    const model = (endpoint === 'messages' ? provider : provider[endpoint])('practice-1');
    const tools = hasTool ? { tools: { [tool.name]: weatherWith(returned) } } : {};
    const messages = [{ role: 'user', content: prompt }];
    const ask = (/** @type {any[]} */ all) =>
      streamText({ model, messages: all, maxOutputTokens: 1000, timeout, ...tools, ...silent });
    const result = ask(messages);
    for await (const _text of result.textStream);
    const replies = (await result.response).messages;
    // It has the results of tools, too.
    const next = replies.at(-1)?.role === 'tool' ? [] : [{ role: 'user', content: 'Thanks' }];
    return async () => {
      for await (const _text of ask([...messages, ...replies, ...next]).textStream);
    };
  };
}
