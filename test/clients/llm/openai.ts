/** The package `openai`: chat completions and responses. */

import OpenAI from 'openai';
import { zodFunction, zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import type { ResponseInput } from 'openai/resources/responses/responses';
import { abortAtText, joined, type MakeClient, model, openaiKey, weatherTool } from './client.js';
import { citySchema, tripSchema } from './schemas.js';

export const openaiBelow = (below: string) =>
  new OpenAI({ apiKey: openaiKey, baseURL: `${below}/llm/openai/v1` });

const user = (content: string) => [{ role: 'user' as const, content }];

export const openaiChat: MakeClient = (below) => {
  const { chat } = openaiBelow(below);
  async function* stream(prompt: string, signal?: AbortSignal) {
    const body = { model, messages: user(prompt), stream: true as const };
    const chunks = await chat.completions.create(body, { ...(signal && { signal }) });
    for await (const { choices } of chunks) yield choices[0]?.delta.content ?? '';
  }
  return {
    async text(prompt) {
      const { choices } = await chat.completions.create({ model, messages: user(prompt) });
      return choices[0]?.message.content ?? '';
    },
    streamText: (prompt) => joined(stream(prompt)),
    async useTool(prompt, tool) {
      const weather = zodFunction({
        ...weatherTool,
        parameters: citySchema,
        function: ({ city }) => tool(city),
      });
      const runner = chat.completions.runTools({
        ...{ model, messages: user(prompt), tools: [weather], stream: true },
      });
      return (await runner.finalContent()) ?? '';
    },
    async value(prompt) {
      const { choices } = await chat.completions.parse({
        ...{ model, messages: user(prompt) },
        response_format: zodResponseFormat(tripSchema, 'trip'),
      });
      return choices[0]?.message.parsed;
    },
    abort(prompt) {
      const controller = new AbortController();
      return abortAtText(stream(prompt, controller.signal), controller);
    },
  };
};

export const openaiResponses: MakeClient = (below) => {
  const { responses } = openaiBelow(below);
  async function* stream(prompt: string, signal?: AbortSignal) {
    const body = { model, input: prompt, stream: true as const };
    const events = await responses.create(body, { ...(signal && { signal }) });
    for await (const event of events) {
      if (event.type === 'response.output_text.delta') yield event.delta;
    }
  }
  return {
    async text(prompt) {
      return (await responses.create({ model, input: prompt })).output_text;
    },
    streamText: (prompt) => joined(stream(prompt)),
    async useTool(prompt, tool) {
      const { $schema: _, ...parameters } = citySchema.toJSONSchema();
      const tools = [{ type: 'function' as const, ...weatherTool, parameters, strict: true }];
      const input: ResponseInput = user(prompt);
      for (;;) {
        const response = await responses.stream({ model, input, tools }).finalResponse();
        const calls = response.output.filter((item) => item.type === 'function_call');
        if (calls.length === 0) return response.output_text;
        for (const { name, call_id, arguments: text } of calls) {
          input.push({ type: 'function_call', name, call_id, arguments: text });
          const output = tool(citySchema.parse(JSON.parse(text)).city);
          input.push({ type: 'function_call_output', call_id, output });
        }
      }
    },
    async value(prompt) {
      const { output_parsed } = await responses.parse({
        ...{ model, input: prompt },
        text: { format: zodTextFormat(tripSchema, 'trip') },
      });
      return output_parsed;
    },
    abort(prompt) {
      const controller = new AbortController();
      return abortAtText(stream(prompt, controller.signal), controller);
    },
  };
};
