/** Content codings: negotiated, fixed, broken on purpose, large when undone; and bodies that are sent coded. */

import type { Topic } from '../topic.js';
import { decodeSent } from './decode-sent.js';
import * as schemas from './schemas.js';
import { sendCoded } from './send-coded.js';

export const codingsTopic: Topic = {
  name: 'codings',
  title: 'Content codings',
  start: '/api/http/encoding',
  summary: 'gzip, deflate, br and zstd, right and wrong, and how large they may grow.',

  addRoutes(app) {
    app.get('/api/http/encoding', { schema: schemas.negotiated }, (request, reply) =>
      sendCoded(request, reply, undefined, request.query),
    );
    app.get('/api/http/encoding/:coding', { schema: schemas.fixed }, (request, reply) =>
      sendCoded(request, reply, request.params.coding, request.query),
    );
    app.post('/api/http/decode', { schema: schemas.decode }, decodeSent);
  },
};
