/** Valid but unusual streams, and failing streams, to test event parsers. */

import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { lazily } from '#base/lazily.js';
import { turns } from '#base/work-in-turns.js';
import { type HeldRequest, type HeldRequests, pause } from '#http/held-requests.js';
import { HttpError } from '#http/http-error.js';
import { bytesOf } from '#http/schemas/bytes-of.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { EndedEarly } from '#http/sending/drip.js';
import { beginEvents } from '#http/sending/event-stream.js';
import { guard } from '#kit/connection.js';
import { faultParameters } from '#kit/describe/fault-parameters.js';
import { endpoint, unvalidated } from '#kit/endpoint.js';
import { stream } from './stream-schemas.js';

/** Shared by all clients. */
const longLine = lazily(() => Buffer.from(`data: ${'x'.repeat(1024 * 1024)}\n\n`));

/** Chunks of each stream, sent one after another. */
const streams: Readonly<Record<string, readonly (string | Buffer)[]>> = {
  comments: [': a comment\n\ndata: first\n: amid an event\ndata: second\n:\n\n:'],
  multiline: ['data: first\ndata:second\ndata:  third, with a space\ndata:\n\n'],
  cr: ['data: first\rdata: second\r\r'],
  lf: ['data: first\ndata: second\n\n'],
  crlf: ['data: first\r', '\ndata: second\r\n\r\n'],
  bom: ['\ufeffdata: after the mark\n\n'],
  'no-colon': ['data\n\ndata\ndata\n\n'],
  'empty-data': ['event: never\n\ndata:\n\n'],
  'nul-id': ['id: 1\ndata: first\n\nid: 2\u00003\ndata: second\n\n'],
  'bad-retry': ['retry: 100\n\nretry: soon\n\nretry: 1.5\n\ndata: after them\n\n'],
  'split-utf8': Array.from(Buffer.from('data: 😀 é\n\n'), (byte) => Buffer.from([byte])),
  get 'long-line'() {
    return [longLine()];
  },
  'wrong-type': ['data: of another type\n\n'],
  'error-before': [],
  'error-middle': ['data: first\n\n', 'data: cut o'],
};
const kinds = Object.keys(streams);

/** Last event of every successful stream, so that a client knows that it is complete. */
const lastId = 'last';
const endOf = (kind: string) => `\n\nid: ${lastId}\nevent: end\ndata: ${kind}\n\n`;

const apartMs = 5;

export const streamVariant = (held: HeldRequests) =>
  endpoint('GET', '/api/sse/variants/:kind', {
    ...stream,
    summary: 'Stream unusual events, or fail',
    description: `The kinds are ${kinds.join(', ')}. The last event is end, with the id ${lastId}; a request with this id gets 204. error-before responds with 503; error-middle is cut without its last chunk.`,
    params: { kind: Type.String({ description: 'The kind of stream.' }) },
    headers: unvalidated({
      'Last-Event-ID': Type.Optional(
        Type.String({ description: 'Id of the last received event.' }),
      ),
    }),
    query: faultParameters,
    responses: {
      200: bytesOf(['text/event-stream', 'text/plain']),
      204: Type.Null({ description: 'All events were already sent.' }),
      404: errorSchema,
      503: errorSchema,
    },
    handle(request, reply) {
      const { kind } = request.params;
      if (!kinds.includes(kind)) {
        throw new HttpError(404, `The kind must be one of ${kinds.join(', ')}; got "${kind}".`);
      }
      if (request.headers['last-event-id'] === lastId) return reply.code(204).send();
      if (kind === 'error-before') {
        throw new HttpError(503, 'Simulated failure: this stream fails before it begins.', {
          headers: { 'retry-after': '1' },
        });
      }
      beginEvents(reply);
      if (kind === 'wrong-type') reply.header('content-type', 'text/plain; charset=utf-8');
      if (request.method === 'HEAD') return Readable.from([]);
      const heldRequest = held.hold(request, reply);
      const sent = Readable.from(pieces(kind, heldRequest));
      sent.once('close', guard(request.raw, heldRequest.release));
      return sent;
    },
  });

async function* pieces(kind: string, heldRequest: HeldRequest): AsyncGenerator<string | Buffer> {
  for (const piece of streams[kind] ?? []) {
    await turns.whenFree();
    yield piece;
    // Each in a separate packet, as far as possible.
    await pause(apartMs, heldRequest);
    if (heldRequest.signal.aborted) return;
  }
  if (kind === 'error-middle') throw new EndedEarly();
  yield endOf(kind);
}
