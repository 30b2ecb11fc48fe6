/** Clients of language models: text, streams, tools, structured output, retries and cancelling. */

import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { generateText } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { askTogether, continueReasoning, useClock } from './llm/agents.js';
import { aiAnthropic, aiSdkAnthropic, aiSdkChat, aiSdkResponses } from './llm/ai-sdk.js';
import { anthropicBelow, anthropicSdk } from './llm/anthropic.js';
import { anthropicKey } from './llm/client.js';
import { langchainAnthropic, langchainChat, langchainResponses } from './llm/langchain.js';
import { openaiBelow, openaiChat, openaiResponses } from './llm/openai.js';
import { continueThinking, thinkWithAiSdk } from './llm/thinking.js';

const service = useService();

const clients = [
  { name: 'openai-chat', make: openaiChat },
  { name: 'openai-responses', make: openaiResponses },
  { name: 'anthropic', make: anthropicSdk },
  { name: 'ai-openai-chat', make: aiSdkChat },
  { name: 'ai-openai-responses', make: aiSdkResponses },
  { name: 'ai-anthropic', make: aiSdkAnthropic },
  { name: 'langchain-openai-chat', make: langchainChat },
  { name: 'langchain-openai-responses', make: langchainResponses },
  { name: 'langchain-anthropic', make: langchainAnthropic },
];

const below = (sandbox: string) => `${service.url}/s/${sandbox}`;

async function script(sandbox: string, turns: readonly object[]): Promise<void> {
  await service.send(`PUT /s/${sandbox}/api/sandbox/llm`, { json: { turns } });
}

async function statusOf(sandbox: string): Promise<{ used: number; cancelled: number }> {
  return (await service.send(`GET /s/${sandbox}/api/sandbox/llm`)).json;
}

async function brokenRules(sandbox: string): Promise<readonly string[]> {
  const { json } = await service.send(`GET /s/${sandbox}/api/sandbox/llm/findings`);
  return json.findings.map(({ rule }: { rule: string }) => rule);
}

const capital = 'What is the capital of Norway?';
const oslo = 'The capital of Norway is Oslo.';

// The package `ai` writes them into the output of the tests.
const shared = globalThis as { AI_SDK_LOG_WARNINGS?: false };
beforeAll(() => {
  shared.AI_SDK_LOG_WARNINGS = false;
});
afterAll(() => {
  delete shared.AI_SDK_LOG_WARNINGS;
});

describe.concurrent.each(clients)('$name', ({ name, make }) => {
  test('receives a text', async () => {
    expect(await make(below(`${name}-text`)).text(capital)).toBe(oslo);
  });

  test('streams a text', async () => {
    expect(await make(below(`${name}-stream`)).streamText(capital)).toBe(oslo);
  });

  test('runs a tool in two turns, and keeps every rule', async () => {
    const sandbox = `${name}-tools`;
    const callFor = (city: string) => ({
      toolCalls: [{ name: 'get_weather', arguments: { city } }],
    });
    await script(sandbox, [callFor('Oslo'), callFor('Bergen'), { text: 'Rain in both.' }]);
    const cities: string[] = [];
    const last = await make(below(sandbox)).useTool('Compare the weather.', (city) => {
      cities.push(city);
      return `Rain in ${city}`;
    });
    expect({ last, cities }).toEqual({ last: 'Rain in both.', cities: ['Oslo', 'Bergen'] });
    expect((await statusOf(sandbox)).used).toBe(3);
    expect(await brokenRules(sandbox)).toEqual([]);
  });

  test('reads a structured output', async () => {
    const value = await make(below(`${name}-value`)).value('Plan a trip.');
    expect(value).toEqual({ city: 'city', days: 1 });
  });

  test('repeats a request after failures, and waits as told', async () => {
    const sandbox = `${name}-retries`;
    await script(sandbox, [
      { fault: { status: 529, retryAfterMs: 30 } },
      { fault: { status: 429, retryAfter: 1 } },
      { text: 'At last.' },
    ]);
    expect(await make(below(sandbox)).text('Hello')).toBe('At last.');
    expect((await statusOf(sandbox)).used).toBe(3);
    expect(await brokenRules(sandbox)).toEqual([]);
  });

  test('cancels a stream', async ({ expect: expectHere }) => {
    const sandbox = `${name}-cancel`;
    await script(sandbox, [{ text: 'word '.repeat(1000), pace: { chunkMs: 20 } }]);
    await make(below(sandbox)).abort('Hello');
    await expectHere.poll(() => statusOf(sandbox)).toMatchObject({ used: 1, cancelled: 1 });
  });
});

/** Starts a run of one case. */
async function beginCase(sandbox: string, name: string) {
  const { json, headers } = await service.send(`POST /s/${sandbox}/llm/test-plan/runs`, {
    json: { cases: [name] },
  });
  const { pathname } = new URL(String(headers.location));
  return {
    step: json[0] as { readonly openai: string; readonly anthropic: string },
    outcome: async () => (await service.send(`GET ${pathname}`)).json[0].outcome as string,
  };
}

describe('right clients', () => {
  test('ask the same together, and retry what was overloaded', async () => {
    const sandbox = 'together';
    const fault = { status: 503, retryAfterMs: 300 };
    await script(sandbox, [{ fault }, { fault }, { fault }]);
    expect(await askTogether(openaiBelow(below(sandbox)), 3)).toHaveLength(3);
    expect(await brokenRules(sandbox)).toEqual([]);
  });

  test('send reasoning back without its storage', async () => {
    const sandbox = 'reasoning';
    const text = await continueReasoning(openaiBelow(below(sandbox)));
    expect(text).toBe('The tool returned: Rain');
    expect(await brokenRules(sandbox)).toEqual([]);
  });

  test('run a tool that needs no arguments', async () => {
    const { step, outcome } = await beginCase('clock', 'empty-arguments-arguments');
    const [planned] = (await service.send('GET /llm/test-plan')).json.filter(
      (each: { case: string }) => each.case === 'empty-arguments-arguments',
    );
    const client = new Anthropic({ apiKey: anthropicKey, baseURL: step.anthropic });
    await useClock(client, planned.result);
    expect(await outcome()).toBe('either');
    expect(await brokenRules('clock')).toEqual([]);
  });

  test('use the base URL of a run unchanged', async () => {
    const { step } = await beginCase('bases', 'comments-text');
    const provider = createAnthropic({ apiKey: anthropicKey, baseURL: step.anthropic });
    const { text } = await generateText({ model: provider('practice-1'), prompt: capital });
    expect(text).toBe(oslo);
  });
});

describe('openai', () => {
  test('continues a response by its id', async () => {
    const { responses } = openaiBelow(below('openai-previous'));
    const model = 'practice-1';
    const first = await responses.create({ model, input: capital });
    const second = await responses.create({
      ...{ model, input: 'repeat: Thanks', previous_response_id: first.id },
    });
    expect(second.output_text).toBe('Thanks');
    expect(second.usage?.input_tokens).toBeGreaterThan(first.usage?.total_tokens ?? 0);
    const items = await responses.inputItems.list(first.id);
    expect(items.data).toMatchObject([{ role: 'user' }]);
    await responses.delete(first.id);
    await expect(responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
  });

  test('cancels a response in the background', async () => {
    const { responses } = openaiBelow(below('openai-background'));
    const { id } = await responses.create({ model: 'practice-1', input: 'Hi', background: true });
    expect(await responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });
  });

  test.each([undefined, 'float', 'base64'] as const)('reads embeddings as %s', async (format) => {
    const { embeddings } = openaiBelow(below('openai-embeddings'));
    const { data } = await embeddings.create({
      ...{ model: 'practice-embed', input: ['a red house', 'a red home'], dimensions: 16 },
      ...(format && { encoding_format: format }),
    });
    expect(data.map(({ embedding }) => embedding.length)).toEqual(
      format === 'base64' ? [expect.any(Number), expect.any(Number)] : [16, 16],
    );
  });

  test('lists the models', async () => {
    const { models } = openaiBelow(below('openai-models'));
    const { data } = await models.list();
    expect(data.map(({ id }) => id)).toContain('practice-1');
    expect(await models.retrieve('practice-embed')).toMatchObject({ id: 'practice-embed' });
  });
});

describe('@anthropic-ai/sdk', () => {
  test('counts the tokens that a message uses', async () => {
    const { messages } = anthropicBelow(below('anthropic-count'));
    const prompt = {
      model: 'practice-1',
      messages: [{ role: 'user' as const, content: capital }],
    };
    const { input_tokens } = await messages.countTokens(prompt);
    const { usage } = await messages.create({ ...prompt, max_tokens: 100 });
    expect(usage.input_tokens).toBe(input_tokens);
  });

  test('lists the models, in pages', async () => {
    const { models } = anthropicBelow(below('anthropic-models'));
    const ids: string[] = [];
    for await (const { id } of models.list({ limit: 1 })) ids.push(id);
    expect(ids).toEqual(['practice-1', 'practice-1-thinking', 'practice-1-small']);
  });

  test('sends thinking back with its signature', async () => {
    const sandbox = 'anthropic-thinking';
    expect(await continueThinking(anthropicBelow(below(sandbox)))).toBe('The tool returned: Rain');
    expect(await brokenRules(sandbox)).toEqual([]);
  });

  test('is rejected if it alters thinking', async () => {
    const sandbox = 'anthropic-altered';
    const altered = continueThinking(anthropicBelow(below(sandbox)), 'Other thoughts');
    await expect(altered).rejects.toMatchObject({ status: 400 });
    expect(await brokenRules(sandbox)).toEqual(['thinking-unaltered']);
  });
});

test('ai with Anthropic sends thinking back with its signature', async () => {
  const sandbox = 'ai-anthropic-thinking';
  const { thoughts, text } = await thinkWithAiSdk(aiAnthropic(below(sandbox)));
  expect(thoughts).toContain('I will call get_weather');
  expect(text).toBe('The tool returned: Rain');
  expect(await brokenRules(sandbox)).toEqual([]);
});
