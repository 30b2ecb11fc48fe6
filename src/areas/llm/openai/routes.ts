/** The endpoints of the OpenAI API. */

import type { ProviderRoute } from '../messages/provider.js';
import { chatBody } from './chat/chat-body.js';
import { chatGeneration } from './chat/chat-generation.js';
import { chatCompletion } from './chat/completion-schema.js';
import { embeddingRoute } from './embeddings/embedding-route.js';
import { modelRoutes } from './models/model-routes.js';
import { responseBody } from './responses/response-body.js';
import { responseGeneration } from './responses/response-generation.js';
import { responseRoutes } from './responses/response-routes.js';
import { response } from './responses/response-schema.js';

export const openaiRoutes: readonly ProviderRoute[] = [
  {
    method: 'POST',
    path: '/chat/completions',
    summary: 'Create a chat completion',
    description: 'With stream, the response is a stream of chunks that ends with [DONE].',
    body: chatBody.schema,
    response: chatCompletion.schema,
    generation: chatGeneration,
  },
  {
    method: 'POST',
    path: '/responses',
    summary: 'Create a response',
    description: 'The sandbox stores it for a day, unless store is false.',
    body: responseBody.schema,
    response: response.schema,
    generation: responseGeneration,
  },
  ...responseRoutes,
  ...modelRoutes,
  embeddingRoute,
];
