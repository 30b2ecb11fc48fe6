/** Responses whose body is not the stream that the client expects. */

import { gzipSync } from 'node:zlib';
import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { allKinds, type BrokenStream, whole } from '../broken-stream.js';
import { beginStream } from '../stream-form.js';
import { withMember } from '../write-event.js';

const page = '<!doctype html><title>Sign in</title><p>Sign in to continue.</p>';

const longLine = 1024 * 1024;

export const bodies = casesOf<BrokenStream>()({
  gzip: {
    ...whole,
    nature: 'either',
    what: 'The body is compressed, as Content-Encoding says.',
    async respond({ reply, form, writeEvents }) {
      const text = await writeEvents();
      beginStream(reply, form);
      reply.header('content-encoding', 'gzip').send(gzipSync(text));
    },
  },
  html: {
    ...whole,
    nature: 'broken',
    what: 'The response is an HTML page with status 200.',
    withoutStream: allKinds,
    async respond({ reply }) {
      reply.type('text/html; charset=utf-8').send(page);
    },
  },
  json: {
    ...whole,
    nature: 'either',
    what: 'The response is JSON, although the request wants a stream.',
    async respond({ reply, writeJson }) {
      reply.send(await writeJson());
    },
  },
  'long-line': {
    ...whole,
    nature: 'odd',
    what: 'A line has 1 MiB.',
    change: ({ events }) =>
      events.map((event, index) =>
        index === 0 ? withMember(event, 'practice_padding', 'x'.repeat(longLine)) : event,
      ),
  },
});
