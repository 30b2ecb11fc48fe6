/** Users of the package `openai`. */

import { keys, timeout, tool, weatherOf } from './weather-tool.js';

/** @import { Begin, Load } from './weather-tool.js' */

const thanks = { role: 'user', content: 'Thanks' };

/**
 * @param {Load} load
 * @returns {Promise<Begin>}
 */
export async function openaiChatUser(load) {
  const { OpenAI } = await load('openai');
  return async ({ prompt, hasTool, result, openai: baseURL }) => {
    const { chat } = new OpenAI({ apiKey: keys.openai, baseURL, timeout });
    const tools = hasTool ? { tools: [{ type: 'function', function: tool }] } : {};
    const messages = [{ role: 'user', content: prompt }];
    const ask = (/** @type {any[]} */ all) =>
      chat.completions
        .stream({ model: 'practice-1', messages: all, ...tools })
        .finalChatCompletion();
    const { message: returned } = (await ask(messages)).choices[0];
    // The SDK adds parsed values, which requests must not have.
    const { parsed: _, ...message } = returned;
    const results = (message.tool_calls ?? []).map((/** @type {any} */ call) => ({
      role: 'tool',
      tool_call_id: call.id,
      content: weatherOf(JSON.parse(call.function.arguments), result),
    }));
    return () => ask([...messages, message, ...(results.length > 0 ? results : [thanks])]);
  };
}

/**
 * @param {Load} load
 * @returns {Promise<Begin>}
 */
export async function openaiResponsesUser(load) {
  const { OpenAI } = await load('openai');
  return async ({ prompt, hasTool, result, openai: baseURL }) => {
    const { responses } = new OpenAI({ apiKey: keys.openai, baseURL, timeout });
    const tools = hasTool ? { tools: [{ type: 'function', ...tool, strict: true }] } : {};
    const input = [{ role: 'user', content: prompt }];
    const ask = (/** @type {any[]} */ all) =>
      responses.stream({ model: 'practice-1', input: all, ...tools }).finalResponse();
    const { output } = await ask(input);
    const calls = output.filter((/** @type {any} */ { type }) => type === 'function_call');
    const results = calls.map((/** @type {any} */ call) => ({
      type: 'function_call_output',
      call_id: call.call_id,
      output: weatherOf(JSON.parse(call.arguments), result),
    }));
    const items = output.map(withoutParsed);
    return () => ask([...input, ...items, ...(results.length > 0 ? results : [thanks])]);
  };
}

/** @param {any} item */
function withoutParsed({ parsed_arguments: _, content, ...item }) {
  if (!Array.isArray(content)) return item;
  return { ...item, content: content.map(({ parsed: _parsed, ...part }) => part) };
}
