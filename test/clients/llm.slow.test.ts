/** Clients of language models: text, streams, tools, structured output, retries and cancelling. */

import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { APICallError, generateText, RetryError, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { askTogether, continueReasoning, useClock } from './llm/agents.js';
import {
  aiAnthropic,
  aiGoogle,
  aiSdkAnthropic,
  aiSdkChat,
  aiSdkGoogle,
  aiSdkResponses,
} from './llm/ai-sdk.js';
import { anthropicBelow, anthropicSdk } from './llm/anthropic.js';
import { anthropicKey } from './llm/client.js';
import { geminiBelow, geminiSdk } from './llm/gemini.js';
import { langchainAnthropic, langchainChat, langchainResponses } from './llm/langchain.js';
import { ollamaBelow, ollamaSdk } from './llm/ollama.js';
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
  // It does not know 529, and waits as long as it wants.
  { name: 'gemini', make: geminiSdk, overloaded: 503 },
  { name: 'ai-google', make: aiSdkGoogle },
  // It retries nothing.
  { name: 'ollama', make: ollamaSdk, retries: false },
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

describe.concurrent.each(clients)('$name', ({ name, make, retries = true, overloaded = 529 }) => {
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

  test('cancels a stream', async ({ expect: expectHere }) => {
    const sandbox = `${name}-cancel`;
    await script(sandbox, [{ text: 'word '.repeat(1000), pace: { chunkMs: 20 } }]);
    await make(below(sandbox)).abort('Hello');
    await expectHere.poll(() => statusOf(sandbox)).toMatchObject({ used: 1, cancelled: 1 });
  });

  if (!retries) return;

  test('repeats a request after failures, and waits as told', async () => {
    const sandbox = `${name}-retries`;
    await script(sandbox, [
      { fault: { status: overloaded, retryAfterMs: 30 } },
      { fault: { status: 429, retryAfter: 1 } },
      { text: 'At last.' },
    ]);
    expect(await make(below(sandbox)).text('Hello')).toBe('At last.');
    expect((await statusOf(sandbox)).used).toBe(3);
    expect(await brokenRules(sandbox)).toEqual([]);
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

describe('@google/genai', () => {
  const model = 'practice-1';

  test('counts the tokens that a response uses', async () => {
    const { models } = geminiBelow(below('gemini-count'));
    const { totalTokens } = await models.countTokens({ model, contents: capital });
    const { usageMetadata } = await models.generateContent({ model, contents: capital });
    expect(usageMetadata?.promptTokenCount).toBe(totalTokens);
  });

  test('embeds texts, and lists the models', async () => {
    const { models } = geminiBelow(below('gemini-embed'));
    const contents = ['a red house', 'a red home'];
    const config = { outputDimensionality: 16 };
    const { embeddings = [] } = await models.embedContent({
      ...{ model: 'practice-embed', contents, config },
    });
    expect(embeddings.map(({ values }) => values?.length)).toEqual([16, 16]);
    const names: unknown[] = [];
    for await (const { name } of await models.list({ config: { pageSize: 2 } })) names.push(name);
    expect(names).toHaveLength(4);
    expect(await models.get({ model })).toMatchObject({ name: `models/${model}` });
  });

  test('keeps the history of a chat whose responses are streams', async () => {
    const sandbox = 'gemini-chat';
    const chat = geminiBelow(below(sandbox)).chats.create({ model });
    for (const message of ['count to 4', 'repeat: Thanks']) {
      for await (const _chunk of await chat.sendMessageStream({ message }));
    }
    expect(await brokenRules(sandbox)).toEqual([]);
    const last = await chat.sendMessage({ message: 'repeat: Bye' });
    expect(last.text).toBe('Bye');
  });

  test('sends signatures back, and runs its own tools', async () => {
    const sandbox = 'gemini-thinking';
    const chat = geminiBelow(below(sandbox)).chats.create({
      model: 'practice-1-thinking',
      config: {
        thinkingConfig: { includeThoughts: true },
        tools: [{ functionDeclarations: [{ name: 'get_weather' }] }],
      },
    });
    const first = await chat.sendMessage({ message: 'Call get_weather.' });
    const [call] = first.functionCalls ?? [];
    const response = { ...call, args: undefined, response: { output: 'Rain' } };
    const second = await chat.sendMessage({ message: [{ functionResponse: response }] });
    expect(second.text).toBe('The tool returned: Rain');
    expect(await brokenRules(sandbox)).toEqual([]);
  });

  test('shows the error of the provider', async () => {
    const { models } = geminiBelow(below('gemini-error'));
    const contents = 'Hi';
    await expect(models.generateContent({ model: 'other', contents })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('GET /models lists the models.'),
    });
    const stream = models.generateContentStream({ model, contents, config: { temperature: 3 } });
    await expect(stream).rejects.toMatchObject({ status: 400 });
  });
});

describe('ollama', () => {
  const model = 'practice-1';

  test('generates a text, and continues it by its context', async () => {
    const client = ollamaBelow(below('ollama-generate'));
    const first = await client.generate({ model, prompt: capital });
    expect(first.response).toBe(oslo);
    const second = await client.generate({ model, prompt: capital, context: first.context });
    expect(second.prompt_eval_count).toBeGreaterThan(first.prompt_eval_count);
    const pieces: string[] = [];
    for await (const { response = '' } of await client.generate({
      ...{ model, prompt: 'count to 3', stream: true },
    })) {
      pieces.push(response);
    }
    expect(pieces.join('')).toBe('1, 2, 3');
  });

  test('lists, shows, loads and unloads models', async () => {
    const client = ollamaBelow(below('ollama-models'));
    const { models } = await client.list();
    expect(models.map(({ name }) => name)).toContain('practice-1:latest');
    expect((await client.show({ model })).capabilities).toEqual(['completion', 'tools']);
    expect((await client.ps()).models).toEqual([]);
    await client.generate({ model, prompt: '', keep_alive: '10m' });
    expect((await client.ps()).models).toMatchObject([{ name: 'practice-1:latest' }]);
    await client.chat({ model, messages: [], keep_alive: 0 });
    expect((await client.ps()).models).toEqual([]);
    expect((await client.version()).version).toMatch(/^\d/);
  });

  test('thinks, embeds texts, and shows the error of the provider', async () => {
    const client = ollamaBelow(below('ollama-others'));
    const messages = [{ role: 'user', content: 'Hi' }];
    const thinker = 'practice-1-thinking';
    const { message } = await client.chat({ model: thinker, messages, think: true });
    expect(message.thinking).toMatch(/^The user asks: Hi/);
    const { embeddings } = await client.embed({ model: 'practice-embed', input: ['a', 'b'] });
    expect(embeddings.map(({ length }) => length)).toEqual([256, 256]);
    await expect(client.chat({ model: 'other', messages })).rejects.toMatchObject({
      ...{ status_code: 404, error: expect.stringMatching(/^model 'other' not found/) },
    });
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

/** Returns the error of a request. */
async function errorOf(request: PromiseLike<unknown>): Promise<unknown> {
  try {
    await request;
  } catch (error) {
    return error;
  }
  throw new Error('The request was accepted.');
}

describe('ai with Google shows the errors of the provider', () => {
  const ask = (
    sandbox: string,
    more: { readonly model?: string; readonly apiKey?: string } = {},
  ) => {
    const { model: name = 'practice-1', apiKey } = more;
    return { model: aiGoogle(below(sandbox), apiKey)(name), prompt: 'Hi', maxRetries: 0 };
  };

  test.each([
    [
      'an unknown model',
      { model: 'other' },
      { code: 404, status: 'NOT_FOUND' },
      "The model 'models/other' is unknown. GET /models lists the models.",
    ],
    [
      'a wrong key',
      { apiKey: 'AIza' },
      { code: 400, status: 'INVALID_ARGUMENT' },
      'Unknown API key. GET /llm has the keys.',
    ],
    [
      'a key without quota',
      { apiKey: 'sk-practice-quota' },
      { code: 429, status: 'RESOURCE_EXHAUSTED' },
      'insufficient_quota: this key is always out of quota. Use another key.',
    ],
  ])('%s', async (_what, more, { code, status }, message) => {
    const error = await errorOf(generateText(ask('ai-google-errors', more)));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      ...{ statusCode: code, message, isRetryable: code === 429 },
      data: { error: { code, message, status } },
      url: expect.stringContaining('/llm/gemini/v1beta/models/'),
    });
  });

  test('a wrong parameter', async () => {
    const error = await errorOf(generateText({ ...ask('ai-google-errors'), temperature: 3 }));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('generation_config.temperature'),
    });
  });

  test('a wrong parameter of a stream', async () => {
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => void errors.push(error);
    const stream = streamText({ ...ask('ai-google-errors'), temperature: 3, onError });
    await stream.consumeStream();
    expect(errors).toMatchObject([
      { statusCode: 400, message: expect.stringContaining('generation_config.temperature') },
    ]);
    expect(errors.every((each) => APICallError.isInstance(each))).toBe(true);
  });

  test('failures until its retries end', async () => {
    const sandbox = 'ai-google-failures';
    const fault = { status: 503, message: 'Busy.', retryAfterMs: 30 };
    await script(sandbox, [{ fault }, { fault }, { fault }]);
    const error = await errorOf(generateText({ ...ask(sandbox), maxRetries: 1 }));
    if (!RetryError.isInstance(error)) throw error;
    expect(error.errors).toHaveLength(2);
    expect(error.lastError).toMatchObject({
      ...{ statusCode: 503, message: 'Busy.', isRetryable: true },
      data: { error: { code: 503, message: 'Busy.', status: 'UNAVAILABLE' } },
    });
    expect(await brokenRules(sandbox)).toEqual([]);
  });
});

test('ai with Anthropic sends thinking back with its signature', async () => {
  const sandbox = 'ai-anthropic-thinking';
  const { thoughts, text } = await thinkWithAiSdk(aiAnthropic(below(sandbox)));
  expect(thoughts).toContain('I will call get_weather');
  expect(text).toBe('The tool returned: Rain');
  expect(await brokenRules(sandbox)).toEqual([]);
});
