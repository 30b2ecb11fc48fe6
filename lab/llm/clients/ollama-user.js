/** A user of the package `ollama`. */

import { tool, weatherOf } from './weather-tool.js';

/** @import { Begin, Load } from './weather-tool.js' */

/**
 * @param {Load} load
 * @returns {Promise<Begin>}
 */
export async function ollamaUser(load) {
  const { Ollama } = await load('ollama');
  const tools = [{ type: 'function', function: tool }];
  return async ({ prompt, hasTool, result, ollama: host }) => {
    const client = new Ollama({ host });
    /** @param {any[]} messages */
    async function ask(messages) {
      const lines = await client.chat({
        ...{ model: 'practice-1', messages, stream: true, ...(hasTool && { tools }) },
      });
      let content = '';
      const calls = [];
      for await (const { message } of lines) {
        content += message.content;
        calls.push(...(message.tool_calls ?? []));
      }
      return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
    }
    const first = { role: 'user', content: prompt };
    const message = await ask([first]);
    const calls = /** @type {any[]} */ (message.tool_calls ?? []);
    const results = calls.map(({ function: called }) => ({
      ...{ role: 'tool', tool_name: called.name, content: weatherOf(called.arguments, result) },
    }));
    const next = results.length > 0 ? results : [{ role: 'user', content: 'Thanks' }];
    return () => ask([first, message, ...next]);
  };
}
