/** Bounds of the APIs of language models. */

import { headersOf, kinds, user, weatherTool } from '../llm/llm.js';
import { type Bound, times } from './bound.js';

const openai = headersOf('chat', {});
const anthropic = headersOf('messages', {});
const chat = (more: object) => ({
  target: `POST ${kinds.chat.path}`,
  headers: openai,
  json: kinds.chat.body('Hello', more),
});
const responses = (more: object) => ({
  target: `POST ${kinds.responses.path}`,
  headers: openai,
  json: kinds.responses.body('Hello', more),
});
const metadata = (value: object) => chat({ metadata: value });
const tool = {
  type: 'function',
  function: { name: weatherTool.name, parameters: weatherTool.schema },
};
const embeddings = (json: object) => ({
  target: 'POST /llm/openai/v1/embeddings',
  headers: openai,
  json: { model: 'practice-embed', ...json },
});
const gemini = (json: object) => ({
  target: 'POST /llm/gemini/v1beta/models/practice-1:generateContent',
  headers: headersOf('gemini', {}),
  json: { contents: [{ parts: [{ text: 'Hi' }] }], ...json },
});
const geminiEmbed = (method: string, json: object) => ({
  target: `POST /llm/gemini/v1beta/models/practice-embed:${method}`,
  headers: headersOf('gemini', {}),
  json,
});
const part = { parts: [{ text: 'Hi' }] };
const ollama = (path: string, json: object) => ({
  target: `POST /llm/ollama/api/${path}`,
  json: { model: 'practice-embed', ...json },
});
const nested = (levels: number): object =>
  levels === 0 ? { type: 'STRING' } : { type: 'ARRAY', items: nested(levels - 1) };
const common = 'areas/llm/openai/read/common.ts';

export const llmBounds: readonly Bound[] = [
  {
    limit: 'areas/llm/gemini/request/config.ts#maxTools',
    value: 128,
    request: (size) => {
      const functions = Array.from({ length: size }, (_, place) => ({ name: `f${place}` }));
      return gemini({ tools: [{ functionDeclarations: functions }] });
    },
    rejection: [400, /must have at most 128 items/],
  },
  {
    limit: 'areas/llm/gemini/request/config.ts#maxStops',
    value: 5,
    request: (size) => gemini({ generationConfig: { stopSequences: Array(size).fill('x') } }),
    rejection: [400, /must have at most 5 items/],
  },
  {
    limit: 'areas/llm/gemini/request/schemas.ts#maxDepth',
    value: 32,
    request: (size) =>
      gemini({
        generationConfig: { responseMimeType: 'application/json', responseSchema: nested(size) },
      }),
    rejection: [400, /nested deeper than 32 levels/],
  },
  {
    limit: 'areas/llm/gemini/embeddings.ts#maxTokens',
    value: 8192,
    request: (size) =>
      geminiEmbed('embedContent', { content: { parts: [{ text: times(size, ' a') }] } }),
    rejection: [400, /the model accepts 8192/],
  },
  {
    limit: 'areas/llm/gemini/embeddings.ts#maxRequests',
    value: 100,
    request: (size) => {
      const each = { model: 'models/practice-embed', content: part };
      return geminiEmbed('batchEmbedContents', { requests: Array(size).fill(each) });
    },
    rejection: [400, /must have at most 100 items/],
  },
  {
    limit: 'areas/llm/gemini/routes.ts#maxPage',
    value: 1000,
    request: (size) => ({
      target: `GET /llm/gemini/v1beta/models?pageSize=${size}`,
      headers: headersOf('gemini', {}),
    }),
    rejection: [400, /must be from 1 to 1000/],
  },
  {
    limit: 'areas/llm/ollama/options.ts#maxStops',
    value: 20,
    request: (size) =>
      ollama('generate', {
        ...{ model: 'practice-1', prompt: 'Hi', options: { stop: Array(size).fill('x') } },
      }),
    rejection: [400, /options.stop must have at most 20 items/],
  },
  {
    limit: 'areas/llm/exchange/serve.ts#maxLogprobs',
    value: 32_768,
    // A text of 16,384 tokens, with one alternative or with two.
    request: (size) =>
      chat({
        messages: [user('count to 10000')],
        ...{ logprobs: true, top_logprobs: size === 32_768 ? 1 : 2 },
      }),
    rejection: [400, /Use at most 32768 log probabilities/],
  },
  {
    limit: 'areas/llm/ollama/models.ts#maxTokens',
    value: 8192,
    request: (size) => ollama('embed', { input: times(size, ' a'), truncate: false }),
    rejection: [400, /more than 8192 tokens/],
  },
  {
    limit: 'areas/llm/ollama/models.ts#maxInputs',
    value: 2048,
    request: (size) => ollama('embed', { input: Array(size).fill('a'), dimensions: 1 }),
    rejection: [400, /at most 2048 strings/],
  },
  {
    limit: 'areas/llm/ollama/models.ts#maxNumbers',
    value: 65_536,
    request: (size) =>
      ollama('embed', {
        ...{ input: Array(size === 65_536 ? 64 : 65).fill('a'), dimensions: 1024 },
      }),
    rejection: [400, /at most 65536 numbers/],
  },
  {
    limit: 'areas/llm/openai/chat/chat-body.ts#maxStops',
    value: 4,
    request: (size) => chat({ stop: Array(size).fill('x') }),
    rejection: [400, /stop/],
  },
  {
    limit: 'areas/llm/openai/chat/chat-body.ts#maxChoices',
    value: 8,
    request: (size) => chat({ n: size }),
    rejection: [400, /'n'/],
  },
  {
    limit: 'areas/llm/openai/chat/chat-body.ts#maxBiases',
    value: 1024,
    request: (size) =>
      chat({
        logit_bias: Object.fromEntries(Array.from({ length: size }, (_, id) => [String(id), 1])),
      }),
    rejection: [400, /use at most 1024 tokens/],
  },
  {
    limit: 'areas/llm/openai/read/tools.ts#maxTools',
    value: 128,
    request: (size) => chat({ tools: Array(size).fill(tool) }),
    rejection: [400, /'tools'/],
  },
  {
    limit: 'areas/llm/openai/chat/read-messages.ts#maxMessages',
    value: 2048,
    request: (size) => chat({ messages: Array(size).fill(user('a')) }),
    rejection: [400, /'messages'/],
  },
  {
    limit: `${common}#maxPairs`,
    value: 16,
    request: (size) =>
      metadata(Object.fromEntries(Array.from({ length: size }, (_, id) => [`k${id}`, 'v']))),
    rejection: [400, /use at most 16 pairs/],
  },
  {
    limit: `${common}#maxKey`,
    value: 64,
    request: (size) => metadata({ [times(size, 'k')]: 'v' }),
    rejection: [400, /use keys of at most 64 characters/],
  },
  {
    limit: `${common}#maxValue`,
    value: 512,
    request: (size) => metadata({ k: times(size, 'v') }),
    rejection: [400, /metadata.k/],
  },
  {
    limit: 'areas/llm/openai/embeddings/read-embeddings.ts#maxInputs',
    value: 2048,
    request: (size) => embeddings({ input: Array(size).fill('a'), dimensions: 1 }),
    rejection: [400, /'input'/],
  },
  {
    limit: 'areas/llm/openai/embeddings/read-embeddings.ts#maxTokens',
    value: 8192,
    request: (size) => embeddings({ input: Array(size).fill(1), dimensions: 1 }),
    rejection: [400, /'input'/],
  },
  {
    limit: 'areas/llm/anthropic/request/options.ts#maxStopSequences',
    value: 64,
    request: (size) => ({
      target: `POST ${kinds.messages.path}`,
      headers: anthropic,
      json: kinds.messages.body('Hello', { stop_sequences: Array(size).fill('zzz') }),
    }),
    rejection: [400, /at most 64 stop sequences/],
  },
  {
    limit: 'areas/llm/anthropic/models.ts#maxLimit',
    value: 1000,
    request: (size) => ({
      target: `GET /llm/anthropic/v1/models?limit=${size}`,
      headers: anthropic,
    }),
    rejection: [400, /from 1 to 1000/],
  },
  {
    limit: 'areas/llm/control/script-endpoints.ts#maxTurns',
    value: 100,
    request: (size) => ({
      target: 'PUT /s/bounds-of-turns/api/sandbox/llm',
      json: { turns: Array(size).fill({ text: 'a' }) },
    }),
    rejection: [400, /turns/],
  },
  {
    limit: 'areas/llm/control/script-endpoints.ts#maxTokens',
    value: 1_000_000_000,
    request: (size) => ({
      target: 'PUT /s/bounds-of-turns/api/sandbox/llm',
      json: { limits: { requestsPerMinute: size } },
    }),
    rejection: [400, /requestsPerMinute/],
  },
  {
    limit: 'areas/llm/openai/responses/response-body.ts#minTokens',
    value: 16,
    isLeast: true,
    request: (size) => responses({ max_output_tokens: size }),
    rejection: [400, /max_output_tokens/],
  },
  {
    limit: 'areas/llm/openai/responses/read-item.ts#maxItems',
    value: 2048,
    request: (size) => responses({ input: Array(size).fill(user('a')) }),
    rejection: [400, /'input'/],
  },
  {
    limit: 'areas/llm/anthropic/request/thinking.ts#minBudget',
    value: 1024,
    isLeast: true,
    request: (size) => ({
      target: `POST ${kinds.messages.path}`,
      headers: anthropic,
      json: kinds.messages.body('Hello', {
        ...{ model: 'practice-1-thinking', max_tokens: 2000 },
        thinking: { type: 'enabled', budget_tokens: size },
      }),
    }),
    rejection: [400, /budget_tokens/],
  },
  {
    limit: 'areas/llm/control/script-endpoints.ts#maxCalls',
    value: 20,
    request: (size) => ({
      target: 'PUT /s/bounds-of-turns/api/sandbox/llm',
      json: { turns: [{ toolCalls: Array(size).fill({ name: 'a', arguments: {} }) }] },
    }),
    rejection: [400, /toolCalls/],
  },
  {
    limit: 'areas/llm/exchange/read-body.ts#maxValues',
    value: 20_000,
    request: (size) => ({
      target: `POST ${kinds.chat.path}`,
      headers: openai,
      json: Array(size - 1).fill(1),
    }),
    accepted: 400,
    rejection: [400, /20000|20,000/],
  },
];
