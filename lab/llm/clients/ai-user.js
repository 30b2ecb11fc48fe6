/** A user of the package `ai` and its providers. */

import { keys, timeout, tool, weatherOf } from './weather-tool.js';

/** @import { Begin, Load } from './weather-tool.js' */

/**
 * @param {Load} load
 * @param {'chat' | 'responses' | 'messages' | 'gemini'} endpoint
 * @returns {Promise<Begin>}
 */
export async function aiUser(load, endpoint) {
  const { streamText, tool: toolOf, jsonSchema } = await load('ai');
  const { createOpenAI } = await load('@ai-sdk/openai');
  const { createAnthropic } = await load('@ai-sdk/anthropic');
  const { createGoogleGenerativeAI } =
    endpoint === 'gemini' ? await load('@ai-sdk/google') : { createGoogleGenerativeAI: null };
  const silent = { onError: () => {} };
  const weatherWith = (/** @type {string} */ result) =>
    toolOf({
      description: tool.description,
      inputSchema: jsonSchema(tool.parameters),
      execute: async (/** @type {any} */ input) => weatherOf(input, result),
    });
  /** @param {{openai: string, anthropic: string, gemini: string}} urls */
  function providerOf({ openai, anthropic, gemini }) {
    if (endpoint === 'messages') {
      return createAnthropic({ apiKey: keys.anthropic, baseURL: anthropic });
    }
    if (endpoint === 'gemini') {
      return createGoogleGenerativeAI({ apiKey: keys.gemini, baseURL: `${gemini}/v1beta` });
    }
    return createOpenAI({ apiKey: keys.openai, baseURL: openai })[endpoint];
  }
  return async ({ prompt, hasTool, result: returned, ...urls }) => {
    const model = providerOf(urls)('practice-1');
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
