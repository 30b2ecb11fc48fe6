/** Responses that the caller writes: for one request, or kept under a name. */

import type { Topic } from '../topic.js';
import { path, respondOnce } from './respond-once.js';
import { define, remove, respondAsStored } from './stored-responses.js';

const byName = ['get', 'post', 'options', 'head', 'patch', 'trace'].map(
  (method) => `${method}HttpResponsesByName`,
);

export const respondTopic: Topic = {
  name: 'respond',
  title: 'Scripted responses',
  start: path,
  summary:
    'A response as you write it: status, headers, body, chunks, delays, trailers, interim responses.',
  examples: () => [
    {
      title: 'Write the response that your client shall get',
      method: 'POST',
      path,
      json: { status: 503, headers: { 'Retry-After': '2' }, body: 'Later' },
      answer: { status: 503, headers: ['Retry-After'], has: 'Later' },
    },
  ],
  collection: {
    adaptations: { putHttpResponsesByName: { call: 'A response', otherwise: [200] } },
    endings: ['deleteHttpResponsesByName'],
    leftOut: Object.fromEntries(
      byName.map((operationId) => [operationId, 'Its response is whatever was stored before.']),
    ),
  },
  endpoints: ({ held }) => [respondOnce(held), define, remove, respondAsStored(held)],
};
