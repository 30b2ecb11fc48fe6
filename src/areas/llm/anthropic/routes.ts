/** Endpoints of Anthropic. */

import { Type } from 'typebox';
import { unvalidated } from '#kit/endpoint.js';
import type { ProviderRoute } from '../messages/provider.js';
import { countPrompt } from '../model/tokens.js';
import { createMessage } from './create-message.js';
import { getModel, listModels } from './models.js';
import { countSchema, messageSchema, readCountRequest } from './request/read-request.js';
import { message, model, modelList, tokenCount } from './response-schema.js';

export const anthropicRoutes: readonly ProviderRoute[] = [
  {
    method: 'POST',
    path: '/messages',
    summary: 'Create a message',
    description: 'Continues the conversation. With `"stream": true`, sends server-sent events.',
    body: messageSchema,
    response: message.schema,
    generation: createMessage,
  },
  {
    method: 'POST',
    path: '/messages/count_tokens',
    isHidden: true,
    summary: 'Count the tokens of a message',
    description: 'Returns what `usage.input_tokens` would be, also for prompts that are too long.',
    body: countSchema,
    response: tokenCount.schema,
    handle: ({ body, request }) => ({ input_tokens: countPrompt(readCountRequest(body, request)) }),
  },
  {
    method: 'GET',
    path: '/models',
    isHidden: true,
    summary: 'List the models',
    response: modelList.schema,
    query: unvalidated({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 20 })),
      after_id: Type.Optional(Type.String({ description: 'Lists models after this one.' })),
      before_id: Type.Optional(Type.String({ description: 'Lists models before this one.' })),
    }),
    handle: ({ request }) => listModels(request),
  },
  {
    method: 'GET',
    path: '/models/:model',
    isHidden: true,
    summary: 'Get a model',
    response: model.schema,
    params: { model: Type.String({ description: 'The id of a model.' }) },
    handle: ({ request }) => getModel((request.params as { readonly model: string }).model),
  },
];
