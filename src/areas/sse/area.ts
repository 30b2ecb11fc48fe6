/** Server-Sent Events: WHATWG HTML, section 9.2. */

import type { Area } from '#kit/area.js';
import { streamChanges } from './changes.js';
import { streamClock } from './clock.js';
import { streamTokens } from './tokens.js';
import { streamVariant } from './variants.js';

export const sseArea: Area = {
  name: 'sse',
  title: 'Server-Sent Events',
  guide: 'realtime/events',
  summary:
    'A clock to resume, live changes of data, unusual streams, and tokens of a language model.',
  front: {
    group: 'events',
    live: {
      method: 'GET',
      path: '/api/sse/clock?count=2&interval=0',
      shows: ['HTTP/1.1 200 OK', 'content-type: text/event-stream', '', 'id: 1'],
    },
    start: '/api/sse',
    index: '/api/sse',
    page: { path: '/realtime' },
    examples: () => [
      {
        title: 'Continue a broken stream',
        method: 'GET',
        path: '/api/sse/clock?count=3&interval=0',
        headers: { 'Last-Event-ID': '2' },
        response: { status: 200, has: 'id: 3' },
      },
    ],
  },
  postman: [
    {
      leftOut: {
        getSseChanges: 'Its response does not end by itself, but a collection waits for the end.',
      },
    },
  ],
  endpoints: ({ runtime: { clock }, limits: { held }, sandboxes: { datasets } }) => [
    streamClock(held, clock),
    streamChanges(held, Object.keys(datasets).sort()),
    streamTokens(held),
    streamVariant(held),
  ],
};
