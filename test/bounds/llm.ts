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
const common = 'areas/llm/openai/read/common.ts';

export const llmBounds: readonly Bound[] = [
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
