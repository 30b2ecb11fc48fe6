/** Clients that send thinking back, beside the result of a tool. */

import type { AnthropicProvider } from '@ai-sdk/anthropic';
import type Anthropic from '@anthropic-ai/sdk';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { generateText, stepCountIs, tool } from 'ai';
import { weatherTool } from './client.js';
import { citySchema } from './schemas.js';

const model = 'practice-1-thinking';
const prompt = 'Use get_weather for Oslo.';
const budget = 1024;

/** Streams a call, sends its result, and returns the last text; `altered` replaces the thinking. */
export async function continueThinking(
  { messages }: Pick<Anthropic, 'messages'>,
  altered?: string,
): Promise<string> {
  const { $schema: _, ...schema } = citySchema.toJSONSchema();
  const body = {
    ...{ model, max_tokens: 2000 },
    thinking: { type: 'enabled' as const, budget_tokens: budget },
    tools: [{ ...weatherTool, input_schema: { ...schema, type: 'object' as const } }],
  };
  const first: MessageParam = { role: 'user', content: prompt };
  const { content } = await messages.stream({ ...body, messages: [first] }).finalMessage();
  const call = content.find((block) => block.type === 'tool_use');
  const sent = content.map((block) =>
    block.type === 'thinking' ? { ...block, thinking: altered ?? block.thinking } : block,
  );
  const last = await messages.create({
    ...body,
    messages: [
      first,
      { role: 'assistant', content: sent },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: 'Rain' }],
      },
    ],
  });
  return last.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** Returns the thinking of the first step, and the last text. */
export async function thinkWithAiSdk(anthropic: AnthropicProvider) {
  const { steps, text } = await generateText({
    model: anthropic(model),
    prompt,
    stopWhen: stepCountIs(2),
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: budget } } },
    tools: {
      [weatherTool.name]: tool({
        description: weatherTool.description,
        inputSchema: citySchema,
        execute: async () => 'Rain',
      }),
    },
  });
  return { thoughts: steps[0]?.reasoningText, text };
}
