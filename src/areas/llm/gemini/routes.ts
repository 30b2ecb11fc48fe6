/** Endpoints of Gemini. */

import { Type } from 'typebox';
import type { JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import { unvalidated } from '#kit/endpoint.js';
import { reject } from '../messages/mistake.js';
import { embeddingModel, isModel, modelNames, models } from '../messages/models.js';
import { nextIds } from '../messages/positions.js';
import type { Generation, ProviderRoute } from '../messages/provider.js';
import { batchBody, embedBatch, embedBody, embedContent } from './embeddings.js';
import { isSse } from './errors.js';
import {
  countBody,
  countTokensIn,
  generateBody,
  modelNotFound,
  readGenerate,
} from './request/read-request.js';
import { streamResponse, writeResponse } from './response.js';
import {
  embedding,
  embeddings,
  generated,
  model,
  modelList,
  tokenCount,
} from './response-schema.js';

const generationOf = (method: string, isStream: boolean): Generation => ({
  kind: 'gemini',
  ...(!isStream && { neverStreams: true }),
  example: { contents: [{ parts: [{ text: 'What is the capital of Norway?' }] }] },
  async read(body, request) {
    const read = readGenerate(body, request, method);
    const form = isSse(request.query) ? 'events' : 'array';
    return {
      ...{ conversation: read.conversation, isStream, form },
      ...{ count: read.count, logprobs: read.logprobs },
      idOf: nextIds(read.conversation.turns),
      respond: (completions, stamp) => writeResponse(read, completions, stamp),
      events: (completions, stamp) => streamResponse(read, completions, stamp, form),
    };
  },
});

const params = { model: Type.String({ description: 'The id of a model.' }) };
const key = {
  key: Type.Optional(Type.String({ description: 'The key, better sent as a header.' })),
};
const hidden = { isHidden: true, params, query: unvalidated(key) } as const;

export const geminiRoutes: readonly ProviderRoute[] = [
  {
    method: 'POST',
    path: '/models/:model::generateContent',
    summary: 'Generate content',
    body: generateBody.schema,
    response: generated.schema,
    params,
    query: key,
    generation: generationOf('generateContent', false),
  },
  {
    method: 'POST',
    path: '/models/:model::streamGenerateContent',
    summary: 'Generate content as a stream',
    description: 'With `alt=sse`, sends server-sent events, else a JSON array that grows.',
    body: generateBody.schema,
    response: { type: 'array', items: generated.schema },
    params,
    query: { ...key, alt: Type.Optional(Type.String({ examples: ['sse'] })) },
    generation: generationOf('streamGenerateContent', true),
  },
  {
    method: 'POST',
    path: '/models/:model::countTokens',
    summary: 'Count the tokens of contents',
    ...hidden,
    body: countBody.schema,
    response: tokenCount.schema,
    handle({ body, request }) {
      const totalTokens = countTokensIn(body, request);
      return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] };
    },
  },
  {
    method: 'POST',
    path: '/models/:model::embedContent',
    summary: 'Embed a content',
    ...hidden,
    body: embedBody.schema,
    response: embedding.schema,
    handle: ({ body, request }) => embedContent(body, request),
  },
  {
    method: 'POST',
    path: '/models/:model::batchEmbedContents',
    summary: 'Embed several contents',
    ...hidden,
    body: batchBody.schema,
    response: embeddings.schema,
    handle: ({ body, request }) => embedBatch(body, request),
  },
  {
    method: 'GET',
    path: '/models',
    isHidden: true,
    summary: 'List the models',
    query: unvalidated({
      ...key,
      pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 50 })),
      pageToken: Type.Optional(Type.String()),
    }),
    response: modelList.schema,
    handle: ({ request }) => listModels(request),
  },
  {
    method: 'GET',
    path: '/models/:model',
    summary: 'Get a model',
    ...hidden,
    response: model.schema,
    handle({ request }) {
      const { model: name } = request.params as { readonly model: string };
      if (!isModel(name) && name !== embeddingModel) throw modelNotFound(name, 'get');
      return describeModel(name);
    },
  },
];

const all = [...modelNames, embeddingModel];
const maxPage = 1000;

function listModels({ query }: Request): JsonObject {
  const { pageSize = '50', pageToken = '0' } = query as Readonly<Record<string, string>>;
  const size = Number(pageSize);
  if (!Number.isInteger(size) || size < 1 || size > maxPage) {
    reject('page_size', `must be from 1 to ${maxPage}.`);
  }
  const from = /^\d{1,3}$/.test(pageToken) ? Number(pageToken) : Number.NaN;
  if (!(from < all.length)) reject('page_token', 'must be a token of the page before.');
  const next = from + size;
  return {
    models: all.slice(from, next).map(describeModel),
    ...(next < all.length && { nextPageToken: String(next) }),
  };
}

function describeModel(name: string): JsonObject {
  const head = { name: `models/${name}`, version: '001' };
  const words = name.split('-').map((word) => word[0]?.toUpperCase() + word.slice(1));
  const shown = { displayName: words.join(' '), description: 'A model without weights.' };
  if (!isModel(name)) {
    const limits = { inputTokenLimit: 8192, outputTokenLimit: 1 };
    const methods = ['embedContent', 'batchEmbedContents'];
    return { ...head, ...shown, ...limits, supportedGenerationMethods: methods };
  }
  const { contextTokens, maxOutputTokens, canThink } = models[name];
  return {
    ...head,
    ...shown,
    inputTokenLimit: contextTokens,
    outputTokenLimit: maxOutputTokens,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    ...{ temperature: 1, maxTemperature: 2, topP: 1, topK: 64 },
    thinking: canThink,
  };
}
