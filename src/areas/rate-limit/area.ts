/** An endpoint that counts requests of each client, and rejects them beyond a limit. */

import type { Area } from '../../kit/area.js';
import { rateLimitCollection } from './collection.js';
import { count, path, reset, status } from './endpoints.js';
import { rateLimitExamples } from './examples.js';

export const rateLimitArea: Area = {
  name: 'rate-limit',
  title: 'Rate limit',
  guide: 'rate-limit',
  summary:
    'An endpoint that allows 5 requests a minute from each client, and reports the remaining number.',
  front: { start: path, examples: () => rateLimitExamples },
  postman: [rateLimitCollection],
  endpoints: ({ config }) => [count(config.accounts === 'required'), status, reset],
};
