/** An endpoint that counts requests of each client, and rejects them beyond a limit. */

import type { Area } from '#kit/area.js';
import { rateLimitCollection } from './collection.js';
import { count, path, reset, status } from './endpoints.js';
import { rateLimitExamples } from './examples.js';

export const rateLimitArea: Area = {
  name: 'rate-limit',
  title: 'Rate limiting',
  guide: 'rate-limit',
  summary:
    'An endpoint that allows 5 requests a minute from each client, and reports the remaining number.',
  front: {
    group: 'failures',
    live: {
      method: 'GET',
      path,
      shows: ['HTTP/1.1 200 OK', 'x-ratelimit-limit: 5', 'x-ratelimit-remaining: 4'],
    },
    start: path,
    examples: () => rateLimitExamples,
  },
  postman: [rateLimitCollection],
  endpoints: ({ runtime: { config } }) => [count(config.accounts === 'required'), status, reset],
};
