/** The endpoints of the OpenAI API. */

import type { ProviderRoute } from '../messages/provider.js';
import { chatGeneration } from './chat/chat-generation.js';
import { embeddingRoute } from './embeddings/embedding-route.js';
import { modelRoutes } from './models/model-routes.js';
import { responseGeneration } from './responses/response-generation.js';
import { responseRoutes } from './responses/response-routes.js';

export const openaiRoutes: readonly ProviderRoute[] = [
  {
    method: 'POST',
    path: '/chat/completions',
    summary: 'Create a chat completion',
    description: 'With stream, the response is a stream of chunks that ends with [DONE].',
    generation: chatGeneration,
  },
  {
    method: 'POST',
    path: '/responses',
    summary: 'Create a response',
    description: 'The sandbox stores it for a day, unless store is false.',
    generation: responseGeneration,
  },
  ...responseRoutes,
  ...modelRoutes,
  embeddingRoute,
];
