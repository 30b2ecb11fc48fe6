/** Agents: what clients do with several requests, in the ways of their packages. */

import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import type { ResponseInput } from 'openai/resources/responses/responses';
import { model, weatherTool } from './client.js';
import { citySchema } from './schemas.js';

const prompt = 'Use get_weather for Oslo.';

/** Sends reasoning back without its storage, and returns the last text. */
export async function continueReasoning({ responses }: OpenAI): Promise<string> {
  const { $schema: _, ...parameters } = citySchema.toJSONSchema();
  const settings = {
    model: 'practice-1-thinking',
    store: false,
    include: ['reasoning.encrypted_content' as const],
    reasoning: { effort: 'low' as const, summary: 'auto' as const },
    tools: [{ type: 'function' as const, ...weatherTool, parameters, strict: true }],
  };
  const input: ResponseInput = [{ role: 'user', content: prompt }];
  const { output } = await responses.create({ ...settings, input });
  const call = output.find((item) => item.type === 'function_call');
  input.push(...(output as ResponseInput));
  input.push({ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'Rain' });
  return (await responses.create({ ...settings, input })).output_text;
}

/** Asks the same at once, as evaluations do. */
export const askTogether = ({ chat }: OpenAI, count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    ),
  );

/** Runs a tool without parameters, whose arguments are empty. */
export async function useClock({ messages }: Anthropic, result: string): Promise<void> {
  const first = { role: 'user' as const, content: 'Call get_time.' };
  const input_schema = { type: 'object' as const, properties: {} };
  const settings = { model, max_tokens: 1000, tools: [{ name: 'get_time', input_schema }] };
  const { content } = await messages.stream({ ...settings, messages: [first] }).finalMessage();
  const results = content.flatMap((block) =>
    block.type === 'tool_use'
      ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: result }]
      : [],
  );
  const history = [first, { role: 'assistant' as const, content }];
  await messages.create({
    ...settings,
    messages: [...history, { role: 'user', content: results }],
  });
}
