/** Bodies that are sent in pieces: lines, drips, chunks, trailers, and interim responses. */

import type { Topic } from '../topic.js';
import { dripBytes, sendInterim, streamLines } from './delayed.js';
import { sendChunks, sendTrailers } from './framing.js';

export const streamingTopic: Topic = {
  name: 'streaming',
  title: 'Streaming',
  start: '/api/http/stream/3',
  summary: 'Lines, drips, chunks and their extensions, trailers, early hints.',
  endpoints: (services) => [
    streamLines(services),
    dripBytes(services.limits),
    sendChunks,
    sendTrailers,
    sendInterim(services.limits),
  ],
};
