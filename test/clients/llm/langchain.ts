/** The packages `@langchain/openai` and `@langchain/anthropic`. */

import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import {
  abortAtText,
  anthropicKey,
  joined,
  type LlmClient,
  type MakeClient,
  model,
  openaiKey,
  type WeatherTool,
  weatherTool,
} from './client.js';
import { citySchema, tripSchema } from './schemas.js';

export const langchainChat: MakeClient = (below) => clientOf(openaiOf(below, false));
export const langchainResponses: MakeClient = (below) => clientOf(openaiOf(below, true));
export const langchainAnthropic: MakeClient = (below) =>
  clientOf(
    new ChatAnthropic({
      ...{ model, apiKey: anthropicKey, maxTokens: 2000 },
      anthropicApiUrl: `${below}/llm/anthropic`,
    }),
  );

function openaiOf(below: string, useResponsesApi: boolean) {
  const configuration = { baseURL: `${below}/llm/openai/v1` };
  return new ChatOpenAI({ model, apiKey: openaiKey, useResponsesApi, configuration });
}

function clientOf(chat: ChatOpenAI | ChatAnthropic): LlmClient {
  async function* stream(prompt: string, signal?: AbortSignal) {
    const chunks = await chat.stream(prompt, { ...(signal && { signal }) });
    for await (const chunk of chunks) yield chunk.text;
  }
  return {
    text: async (prompt) => (await chat.invoke(prompt)).text,
    streamText: (prompt) => joined(stream(prompt)),
    useTool: (prompt, weather) => runTools(chat, prompt, weather),
    async value(prompt) {
      return chat.withStructuredOutput(tripSchema, { method: 'jsonSchema' }).invoke(prompt);
    },
    abort(prompt) {
      const controller = new AbortController();
      return abortAtText(stream(prompt, controller.signal), controller);
    },
  };
}

async function runTools(
  chat: ChatOpenAI | ChatAnthropic,
  prompt: string,
  weather: WeatherTool,
): Promise<string> {
  const run = tool(({ city }) => weather(city), { ...weatherTool, schema: citySchema });
  const bound = chat.bindTools([run]);
  const messages: Parameters<typeof bound.invoke>[0] & unknown[] = [new HumanMessage(prompt)];
  for (;;) {
    const reply = await bound.invoke(messages);
    const { tool_calls: calls = [] } = reply;
    if (calls.length === 0) return reply.text;
    messages.push(reply);
    for (const { id = '', args } of calls) {
      const content = await run.invoke(citySchema.parse(args));
      messages.push(new ToolMessage({ tool_call_id: id, content }));
    }
  }
}
