/** Every limit that callers can reach: exactly the limit is accepted, and one more gets its rejection. */

import { beforeAll, describe } from 'vitest';
import { useService } from '../support/service.js';
import { testBounds } from './bound.js';
import { dataBounds } from './data.js';
import { httpBounds } from './http.js';
import { llmBounds } from './llm.js';
import { sandboxBounds } from './sandbox.js';

const service = useService();

beforeAll(async () => {
  await service.send('PUT /api/sandbox/data', {
    headers: { 'X-Sandbox': 'bounds-of-posts' },
    json: { posts: [{ id: 1, title: 'a', views: 1 }], comments: [{ id: 1, postId: 1 }] },
  });
});

describe('HTTP', () => testBounds(service, httpBounds));
describe('sandboxes', () => testBounds(service, sandboxBounds));
describe('data', () => testBounds(service, dataBounds));
describe('language models', () => testBounds(service, llmBounds));
