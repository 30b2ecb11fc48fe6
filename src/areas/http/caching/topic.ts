/** Resources whose caching the caller chooses, and what of a client's requests reached them. */

import type { Topic } from '../topic.js';
import { changeResource, getResource, listHits } from './endpoints.js';

export const cachingTopic: Topic = {
  name: 'caching',
  title: 'Caching',
  start: '/api/http/cache/practice?maxAge=60',
  summary:
    'Resources whose caching you choose, conditional requests, and the requests that arrived.',
  presets: [
    {
      title: 'something to keep',
      method: 'GET',
      path: '/api/http/cache/practice?maxAge=60&age=20',
    },
  ],
  endpoints: ({ clock }) => [getResource(clock), changeResource(clock), listHits],
};
