/** A user of the package `@anthropic-ai/sdk`. */

import { keys, timeout, tool, weatherOf } from './weather-tool.js';

/** @import { Begin, Load } from './weather-tool.js' */

/**
 * @param {Load} load
 * @returns {Promise<Begin>}
 */
export async function anthropicUser(load) {
  const { Anthropic } = await load('@anthropic-ai/sdk');
  return async ({ prompt, hasTool, result, anthropic }) => {
    // The SDK adds /v1.
    const client = new Anthropic({ apiKey: keys.anthropic, baseURL: anthropic, timeout });
    const { parameters: input_schema, ...named } = tool;
    const tools = hasTool ? { tools: [{ ...named, input_schema }] } : {};
    const messages = [{ role: 'user', content: prompt }];
    const ask = (/** @type {any[]} */ all) =>
      client.messages
        .stream({ model: 'practice-1', max_tokens: 1000, messages: all, ...tools })
        .finalMessage();
    const { content } = await ask(messages);
    const calls = content.filter((/** @type {any} */ { type }) => type === 'tool_use');
    const results = calls.map((/** @type {any} */ { id, input }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: weatherOf(input, result),
    }));
    const next = results.length > 0 ? results : 'Thanks';
    return () =>
      ask([...messages, { role: 'assistant', content }, { role: 'user', content: next }]);
  };
}
