/** Streams events that a client can resume. */

import { type Static, type TObject, Type } from 'typebox';
import type { Clock } from '#base/awaitable.js';
import { type HeldRequest, type HeldRequests, pause } from '#http/held-requests.js';
import { forgetEmptyId, sendEvents, writeEvent, writeRetry } from '#http/sending/event-stream.js';
import { seconds } from '#kit/describe/seconds.js';
import { endpoint } from '#kit/endpoint.js';
import { lastEventId, stream } from './stream-schemas.js';

const query = {
  interval: seconds('Seconds between two events.', 1, 60),
  count: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 10,
    description: 'Number of events in the whole series.',
  }),
  retry: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 600_000,
      description: 'Milliseconds after which a client should reconnect.',
    }),
  ),
  event: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[^\\r\\n\\u0000]+$',
      description: 'The type of the events: 1 to 64 characters on one line.',
    }),
  ),
  dropAfter: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Number of events before the connection is closed.',
    }),
  ),
  ...lastEventId.query,
};

export const streamClock = (held: HeldRequests, clock: Clock) =>
  endpoint('GET', '/api/sse/clock', {
    ...stream,
    summary: 'Stream events, one each interval',
    description:
      'Their ids count from 1. A request with the id of an earlier event gets the rest; after the last event it gets 204, which stops browsers from reconnecting.',
    before: forgetEmptyId,
    headers: lastEventId.header,
    query,
    responses: {
      ...stream.responses,
      204: Type.Null({ description: 'All events were already sent.' }),
    },
    handle(request, reply) {
      const { query } = request;
      const seen = request.headers['last-event-id'] ?? query.lastEventId ?? 0;
      if (seen >= query.count) return reply.code(204).send();
      const isDropped = query.dropAfter !== undefined && seen + query.dropAfter < query.count;
      if (isDropped) reply.header('connection', 'close');
      return sendEvents(request, reply, held, (heldRequest) =>
        ticks(query, seen, clock, heldRequest),
      );
    },
  });

async function* ticks(
  { interval, count, retry, event, dropAfter = count }: Static<TObject<typeof query>>,
  seen: number,
  clock: Clock,
  heldRequest: HeldRequest,
): AsyncGenerator<string> {
  if (retry !== undefined) yield writeRetry(retry);
  const last = Math.min(count, seen + dropAfter);
  for (let n = seen + 1; n <= last; n++) {
    if (n > seen + 1 && interval > 0) await pause(interval * 1000, heldRequest);
    if (heldRequest.signal.aborted) return;
    const data = JSON.stringify({ n, of: count, at: new Date(clock()).toISOString() });
    yield writeEvent({ id: n, ...(event !== undefined && { event }), data });
  }
}
