/** An endpoint that counts its callers' requests and rejects them beyond a limit. */

import type { Area } from '../../kit/area.js';
import { rateLimitCollection } from './collection.js';
import { count, path, reset, status } from './endpoints.js';
import { rateLimitExamples } from './examples.js';

export const rateLimitArea: Area = {
  name: 'rate-limit',
  title: 'Rate limit',
  guide: 'rate-limit',
  summary:
    'An endpoint that allows 5 requests a minute from each client, and tells how many are left.',
  front: { start: path, examples: () => rateLimitExamples },
  postman: [rateLimitCollection],
  endpoints: ({ config }) => [count(config.accounts === 'required'), status, reset],
};
