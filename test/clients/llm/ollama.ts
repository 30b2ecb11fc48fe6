/** The package `ollama`. */

import { type Message, Ollama } from 'ollama';
import { joined, type MakeClient, model, weatherTool } from './client.js';
import { citySchema, tripSchema } from './schemas.js';

export const ollamaBelow = (below: string) => new Ollama({ host: `${below}/llm/ollama` });

const user = (content: string): Message => ({ role: 'user', content });

export const ollamaSdk: MakeClient = (below) => {
  const client = ollamaBelow(below);
  async function* stream(prompt: string) {
    const lines = await client.chat({ model, messages: [user(prompt)], stream: true });
    for await (const { message } of lines) yield message.content;
  }
  return {
    async text(prompt) {
      return (await client.chat({ model, messages: [user(prompt)] })).message.content;
    },
    streamText: (prompt) => joined(stream(prompt)),
    async useTool(prompt, tool) {
      const { $schema: _, ...parameters } = citySchema.toJSONSchema();
      const described = { ...weatherTool, parameters: { ...parameters, type: 'object' } };
      const tools = [{ type: 'function', function: described as object }];
      const messages = [user(prompt)];
      for (;;) {
        const { message } = await client.chat({ model, messages, tools });
        const { tool_calls: calls = [] } = message;
        if (calls.length === 0) return message.content;
        messages.push(message);
        for (const { function: called } of calls) {
          const content = tool(citySchema.parse(called.arguments).city);
          messages.push({ role: 'tool', tool_name: called.name, content });
        }
      }
    },
    async value(prompt) {
      const format = tripSchema.toJSONSchema();
      const { message } = await client.chat({ model, messages: [user(prompt)], format });
      return tripSchema.parse(JSON.parse(message.content));
    },
    async abort(prompt) {
      const lines = await client.chat({ model, messages: [user(prompt)], stream: true });
      try {
        for await (const { message } of lines) if (message.content !== '') lines.abort();
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
      }
    },
  };
};
