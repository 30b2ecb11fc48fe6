/** Requests that together make the area send every kind of response and event. */

import type { HttpResponse, TestService } from '../../support/service.js';
import { readEvents } from './event-reader.js';

export interface Produced {
  /** Name of a type in `sdk-types.ts`. */
  readonly type: string;
  readonly value: unknown;
}

interface Case {
  readonly title: string;
  /** Turn of the script that responds. */
  readonly turn?: object;
  readonly json: object;
  readonly endpoints?: readonly EndpointName[];
}

export const openaiHeaders = { Authorization: 'Bearer sk-practice-openai' };
export const anthropicHeaders = {
  'X-Api-Key': 'sk-practice-anthropic',
  'Anthropic-Version': '2026-10-21',
};

const messages = { name: 'messages', path: '/llm/anthropic/v1/messages' } as const;

const endpoints = [
  {
    name: 'chat',
    path: '/llm/openai/v1/chat/completions',
    headers: openaiHeaders,
    whole: 'ChatCompletion',
    event: 'ChatChunk',
  },
  {
    name: 'responses',
    path: '/llm/openai/v1/responses',
    headers: openaiHeaders,
    whole: 'SentResponse',
    event: 'SentEvent',
  },
  { ...messages, headers: anthropicHeaders, whole: 'Message', event: 'MessageEvent' },
  {
    ...messages,
    headers: { ...anthropicHeaders, 'Anthropic-Version': '2023-06-01' },
    whole: 'OlderMessage',
    event: 'OlderMessageEvent',
  },
] as const;

type EndpointName = (typeof endpoints)[number]['name'];

const headersOf = (path: string) => (path.includes('/openai/') ? openaiHeaders : anthropicHeaders);

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
  additionalProperties: false,
};

const tools = {
  chat: [{ type: 'function', function: { name: 'get_weather', parameters, strict: true } }],
  responses: [{ type: 'function', name: 'get_weather', parameters, strict: true }],
  messages: [{ name: 'get_weather', input_schema: parameters }],
};

const formats = {
  chat: {
    response_format: { type: 'json_schema', json_schema: { name: 'trip', schema: parameters } },
  },
  responses: { text: { format: { type: 'json_schema', name: 'trip', schema: parameters } } },
  messages: { output_config: { format: { type: 'json_schema', schema: parameters } } },
};

const requests = {
  chat: (prompt: string) => ({
    model: 'practice-1',
    messages: [{ role: 'user', content: prompt }],
  }),
  responses: (prompt: string) => ({ model: 'practice-1', input: prompt }),
  messages: (prompt: string) => ({
    model: 'practice-1',
    max_tokens: 3000,
    messages: [{ role: 'user', content: prompt }],
  }),
};

const thinks = { model: 'practice-1-thinking' };

const cases: readonly Case[] = [
  { title: 'text', json: {} },
  { title: 'refusal', json: {}, turn: { refusal: 'I cannot do that.' } },
  { title: 'text and calls', json: {}, turn: { text: 'Hi', toolCalls: [call('a'), call('b')] } },
  { title: 'nothing', json: {}, turn: { text: '' } },
  { title: 'thinking', json: { ...thinks, reasoning_effort: 'low' }, endpoints: ['chat'] },
  {
    title: 'thinking',
    json: {
      ...thinks,
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    },
    endpoints: ['responses'],
  },
  {
    title: 'thinking',
    json: { ...thinks, thinking: { type: 'enabled', budget_tokens: 1024 } },
    endpoints: ['messages'],
  },
  { title: 'cut', json: { max_completion_tokens: 3 }, endpoints: ['chat'] },
  { title: 'cut', json: { max_output_tokens: 16 }, endpoints: ['responses'] },
  { title: 'cut', json: { max_tokens: 3 }, endpoints: ['messages'] },
  { title: 'stop', json: { stop: ['4'] }, endpoints: ['chat'] },
  { title: 'stop', json: { stop_sequences: ['4'] }, endpoints: ['messages'] },
  { title: 'several', json: { n: 2, seed: 7, service_tier: 'auto' }, endpoints: ['chat'] },
  { title: 'log probabilities', json: { logprobs: true, top_logprobs: 2 }, endpoints: ['chat'] },
  {
    title: 'log probabilities',
    json: { include: ['message.output_text.logprobs'], top_logprobs: 2 },
    endpoints: ['responses'],
  },
  { title: 'filtered', json: {}, turn: { text: 'Half', stopReason: 'content_filter' } },
  { title: 'paused', json: {}, turn: { text: 'Half', stopReason: 'pause_turn' } },
  {
    title: 'members of the request',
    json: {
      instructions: 'Be short.',
      metadata: { purpose: 'types' },
      reasoning: { effort: 'none' },
      prompt_cache_key: 'key',
      safety_identifier: 'reader',
      truncation: 'auto',
      user: 'reader',
      text: { verbosity: 'low', format: { type: 'text' } },
      tools: tools.responses,
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [named('get_weather')] },
    },
    endpoints: ['responses'],
  },
];

function call(city: string) {
  return { name: 'get_weather', arguments: { city, days: 2 } };
}

function named(name: string) {
  return { type: 'function', name };
}

/** Collects all responses and events, each in its own sandbox. */
export async function produceValues({
  send,
}: Pick<TestService, 'send'>): Promise<readonly Produced[]> {
  const produced: Produced[] = [];
  let sandboxes = 0;
  for (const { name, path, headers, whole, event } of endpoints) {
    const own: readonly Case[] = [
      ...cases.filter((each) => each.endpoints?.includes(name) ?? true),
      { title: 'a call', json: { tools: tools[name] }, turn: { toolCalls: [call('Oslo')] } },
      { title: 'a format', json: formats[name] },
    ];
    for (const { turn, json } of own) {
      const prefix = `/s/types-${sandboxes++}`;
      const script = { turns: turn === undefined ? [] : [turn, turn, turn] };
      await send(`PUT ${prefix}/api/sandbox/llm`, { json: script });
      const body = { ...requests[name]('count to 8'), ...json };
      const post = (more: object) =>
        expectOk(send(`POST ${prefix}${path}`, { headers, json: { ...body, ...more } }));
      produced.push({ type: whole, value: (await post({})).json });
      const streams = [{}, ...(name === 'chat' ? [{ include_usage: true }] : [])];
      for (const options of streams) {
        const isUsual = Object.keys(options).length === 0;
        const { text } = await post({ stream: true, ...(!isUsual && { stream_options: options }) });
        produced.push(...valuesIn(text).map((value) => ({ type: event, value })));
      }
    }
  }
  return [...produced, ...(await produceOthers(send)), ...(await produceNewer(send))];
}

const geminiHeaders = { 'X-Goog-Api-Key': 'sk-practice-gemini' };
const functionDeclarations = [{ name: 'get_weather', parametersJsonSchema: parameters }];
const ollamaTools = [{ type: 'function', function: { name: 'get_weather', parameters } }];

/** Members of requests to Gemini and to Ollama, with the turns of a script. */
const newer: readonly { gemini: object; ollama: object; turn?: object; model?: string }[] = [
  { gemini: {}, ollama: {} },
  { gemini: {}, ollama: {}, turn: { refusal: 'No.' } },
  { gemini: {}, ollama: {}, turn: { text: 'Half', stopReason: 'SAFETY' } },
  { gemini: {}, ollama: {}, turn: { text: 'Hi', toolCalls: [call('a'), call('b')] } },
  { gemini: {}, ollama: {}, turn: { text: '' } },
  { gemini: { tools: [{ functionDeclarations }] }, ollama: { tools: ollamaTools } },
  {
    model: 'practice-1-thinking',
    gemini: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
    ollama: { think: true },
  },
  {
    gemini: { generationConfig: { maxOutputTokens: 3, candidateCount: 2, seed: 7 } },
    ollama: { options: { num_predict: 3, seed: 7 } },
  },
  {
    gemini: { generationConfig: { responseLogprobs: true, logprobs: 2 } },
    ollama: { logprobs: true, top_logprobs: 2 },
  },
  {
    gemini: {
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: parameters },
    },
    ollama: { format: parameters },
  },
];

async function produceNewer(send: TestService['send']): Promise<readonly Produced[]> {
  const produced: Produced[] = [];
  for (const [index, { gemini, ollama, turn, model = 'practice-1' }] of newer.entries()) {
    const prefix = `/s/newer-${index}`;
    const turns = turn === undefined ? [] : Array(6).fill(turn);
    await send(`PUT ${prefix}/api/sandbox/llm`, { json: { turns } });
    const post = (path: string, json: object) =>
      expectOk(send(`POST ${prefix}/llm${path}`, { headers: geminiHeaders, json }));
    const contents = { contents: [{ parts: [{ text: 'count to 8' }] }], ...gemini };
    const path = `/gemini/v1beta/models/${model}`;
    const whole = await post(`${path}:generateContent`, contents);
    const events = await post(`${path}:streamGenerateContent?alt=sse`, contents);
    const items = await post(`${path}:streamGenerateContent`, contents);
    const all = [whole.json, ...valuesIn(events.text), ...items.json];
    produced.push(...all.map((value) => ({ type: 'GeminiResponse', value })));
    const chat = { model, messages: [{ role: 'user', content: 'count to 8' }], ...ollama };
    const text = { model, prompt: 'count to 8', ...ollama, tools: undefined };
    for (const [type, own, json] of [
      ['OllamaChat', '/chat', chat],
      ['OllamaText', '/generate', text],
    ] as const) {
      produced.push({
        type,
        value: (await post(`/ollama/api${own}`, { ...json, stream: false })).json,
      });
      const lines = (await post(`/ollama/api${own}`, json)).text.trimEnd().split('\n');
      produced.push(...lines.map((line) => ({ type: `Line<${type}>`, value: JSON.parse(line) })));
    }
  }
  const add = async (type: string, target: string, json?: object) => {
    const [method, path] = target.split(' ');
    const options = { headers: geminiHeaders, ...(json && { json }) };
    produced.push({ type, value: (await send(`${method} /s/newer/llm${path}`, options)).json });
  };
  const embed = '/gemini/v1beta/models/practice-embed';
  const content = { parts: [{ text: 'Hello' }] };
  const model = 'models/practice-embed';
  await add('GeminiEmbedding', `POST ${embed}:embedContent`, { content });
  await add('GeminiEmbeddings', `POST ${embed}:batchEmbedContents`, {
    requests: [{ model, content }],
  });
  await add('GeminiTokens', 'POST /gemini/v1beta/models/practice-1:countTokens', {
    contents: [content],
  });
  await add('GeminiModels', 'GET /gemini/v1beta/models?pageSize=3');
  await add('GeminiModel', 'GET /gemini/v1beta/models/practice-1');
  await add('GeminiError', 'POST /gemini/v1beta/models/practice-1:generateContent', { a: 1 });
  await add('Line<OllamaChat>', 'POST /ollama/api/chat', { model: 'practice-1' });
  await add('EmbedResponse', 'POST /ollama/api/embed', { model: 'practice-embed', input: 'Hi' });
  await add('OllamaModels', 'GET /ollama/api/tags');
  await add('OllamaModels', 'GET /ollama/api/ps');
  await add('OllamaShown', 'POST /ollama/api/show', { model: 'practice-1' });
  await add('VersionResponse', 'GET /ollama/api/version');
  await add('OllamaError', 'POST /ollama/api/chat', {});
  return produced;
}

/** Without `[DONE]`, and without pings, which the types do not have. */
function valuesIn(stream: string): readonly unknown[] {
  return readEvents(stream)
    .filter(({ event, data }) => data !== '[DONE]' && event !== 'ping')
    .map(({ data }) => JSON.parse(data));
}

async function expectOk(sent: Promise<HttpResponse>): Promise<HttpResponse> {
  const response = await sent;
  if (response.status !== 200) throw new Error(response.text);
  return response;
}

/** Responses that continue nothing, and errors. */
async function produceOthers(send: TestService['send']): Promise<readonly Produced[]> {
  const produced: Produced[] = [];
  const add = async (type: string, target: string, json?: object) => {
    const [method, path = ''] = target.split(' ');
    const options = { headers: headersOf(path), ...(json && { json }) };
    const response = await send(`${method} /s/others${path}`, options);
    produced.push({ type, value: response.json });
    return response.json;
  };
  const openai = '/llm/openai/v1';
  const anthropic = '/llm/anthropic/v1';
  const background = { ...requests.responses('Hi'), background: true };
  const { id } = await add('SentResponse', `POST ${openai}/responses`, background);
  await add('SentResponse', `GET ${openai}/responses/${id}`);
  await add('SentResponse', `POST ${openai}/responses/${id}/cancel`);
  await add('ResponseItemList', `GET ${openai}/responses/${id}/input_items`);
  await add('ModelDeleted', `DELETE ${openai}/responses/${id}`);
  const input = { ...requests.responses(''), input: inputItems };
  const long = await add('SentResponse', `POST ${openai}/responses`, input);
  await add('ResponseItemList', `GET ${openai}/responses/${long.id}/input_items`);
  const texts = { model: 'practice-embed', input: ['Hello', 'World'], dimensions: 8 };
  await add('CreateEmbeddingResponse', `POST ${openai}/embeddings`, texts);
  await add('EmbeddingsInBase64', `POST ${openai}/embeddings`, {
    ...texts,
    encoding_format: 'base64',
  });
  await add('OpenAIPage<OpenAIModel>', `GET ${openai}/models`);
  await add('OpenAIModel', `GET ${openai}/models/practice-1`);
  await add('AnthropicPage<ModelInfo>', `GET ${anthropic}/models?limit=2`);
  await add('ModelInfo', `GET ${anthropic}/models/practice-1-thinking`);
  const { max_tokens: _, ...countable } = requests.messages('Hi');
  await add('MessageTokensCount', `POST ${anthropic}/messages/count_tokens`, countable);
  for (const path of ['/chat/completions', '/responses', '/embeddings']) {
    await add('OpenAIError', `POST ${openai}${path}`, {});
  }
  await add('OpenAIError', `GET ${openai}/models/none`);
  await add('ErrorResponse', `POST ${anthropic}/messages`, {});
  await add('ErrorResponse', `GET ${anthropic}/models/none`);
  const threaded = { ...requests.messages('Hi'), thread: { type: 'create' } };
  await add('ThreadError', `POST ${anthropic}/messages`, threaded);
  for (const status of [400, 401, 403, 404, 408, 409, 413, 429, 500, 503, 529]) {
    await send('PUT /s/others/api/sandbox/llm', {
      json: { turns: [{ fault: { status } }, { fault: { status } }] },
    });
    await add('OpenAIError', `POST ${openai}/responses`, requests.responses('Hi'));
    const type = status === 409 || status === 413 ? 'DocumentedError' : 'ErrorResponse';
    await add(type, `POST ${anthropic}/messages`, requests.messages('Hi'));
  }
  return produced;
}

const inputItems = [
  { role: 'user', content: 'What is the weather?' },
  { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'Rain' },
  { role: 'assistant', content: 'Rain.' },
  { role: 'user', content: [{ type: 'input_text', text: 'Thanks' }] },
];
