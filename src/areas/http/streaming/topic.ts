/** Bodies that come in pieces: lines, drips, chunks, trailers, and interim responses. */

import type { Topic } from '../topic.js';
import { streamingHandlers } from './handlers.js';
import * as schemas from './schemas.js';

export const streamingTopic: Topic = {
  name: 'streaming',
  title: 'Streaming',
  start: '/api/http/stream/3',
  summary: 'Lines, drips, chunks and their extensions, trailers, early hints.',

  addRoutes(app, services) {
    const give = streamingHandlers(services);
    app.get('/api/http/stream/:n', { schema: schemas.lines }, give.lines);
    app.get('/api/http/drip', { schema: schemas.drip }, give.drip);
    app.get('/api/http/chunks', { schema: schemas.chunks }, give.chunks);
    app.get('/api/http/trailers', { schema: schemas.trailers }, give.trailers);
    app.get('/api/http/informational', { schema: schemas.informational }, give.informational);
  },
};
