/** Server-Sent Events: WHATWG HTML, section 9.2. */

import type { Area } from '../../kit/area.js';
import { changesHandler, changesSchema } from './changes.js';
import { clockHandler, clockSchema } from './clock.js';
import { tokensHandler, tokensSchema } from './tokens.js';
import { variantHandler, variantSchema } from './variants.js';

export const sseArea: Area = {
  name: 'sse',
  title: 'Server-Sent Events',
  guide: 'realtime/events',
  front: {
    start: '/api/sse',
    index: '/api/sse',
    page: { path: '/realtime', way: ['Real time', 'Watch events and talk to sockets'] },
    examples: () => [
      {
        title: 'Go on where a stream broke',
        method: 'GET',
        path: '/api/sse/clock?count=3&interval=0',
        headers: { 'Last-Event-ID': '2' },
        answer: { status: 200, has: 'id: 3' },
      },
    ],
  },
  summary: 'A clock to resume, changes of data as they happen, odd streams, and tokens of a model.',
  postman: [
    {
      leftOut: {
        getSseChanges:
          'Its response lasts as long as the client listens, and a collection waits for the end.',
      },
    },
  ],
  addRoutes(app, services) {
    app.get('/api/sse/clock', { schema: clockSchema }, clockHandler(services));
    app.get('/api/sse/changes', { schema: changesSchema }, changesHandler(services));
    app.get('/api/sse/tokens', { schema: tokensSchema }, tokensHandler(services));
    app.get('/api/sse/variants/:kind', { schema: variantSchema }, variantHandler(services));
  },
};
