/** The package `@anthropic-ai/sdk`. */

import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import {
  abortAtText,
  anthropicKey,
  joined,
  type MakeClient,
  model,
  weatherTool,
} from './client.js';
import { citySchema, tripSchema } from './schemas.js';

export const anthropicBelow = (below: string) =>
  new Anthropic({ apiKey: anthropicKey, baseURL: `${below}/llm/anthropic` });

export const anthropicSdk: MakeClient = (below) => {
  const { messages, beta } = anthropicBelow(below);
  const body = (content: string) => ({
    ...{ model, max_tokens: 2000, messages: [{ role: 'user' as const, content }] },
  });
  async function* stream(prompt: string, signal?: AbortSignal) {
    const events = messages.stream(body(prompt), { ...(signal && { signal }) });
    for await (const event of events) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
        yield event.delta.text;
      }
    }
  }
  return {
    async text(prompt) {
      const { content } = await messages.create(body(prompt));
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    },
    streamText: (prompt) => joined(stream(prompt)),
    async useTool(prompt, tool) {
      const weather = betaZodTool({
        ...weatherTool,
        inputSchema: citySchema,
        run: ({ city }) => tool(city),
      });
      const { content } = await beta.messages.toolRunner({ ...body(prompt), tools: [weather] });
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    },
    async value(prompt) {
      const { parsed_output } = await messages.parse({
        ...body(prompt),
        output_config: { format: zodOutputFormat(tripSchema) },
      });
      return parsed_output;
    },
    abort(prompt) {
      const controller = new AbortController();
      return abortAtText(stream(prompt, controller.signal), controller);
    },
  };
};
