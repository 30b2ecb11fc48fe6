/** A series of events that a client can resume. */

import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Clock } from '../../base/awaitable.js';
import type { Reply, Request } from '../../http/exchange.js';
import { type HeldRequest, pause } from '../../http/held-requests.js';
import { sendEvents, writeEvent, writeRetry } from '../../http/sending/event-stream.js';
import type { Services } from '../../kit/area.js';
import { exactQuery } from '../../kit/describe/exact-query.js';
import { events, lastEventId, streamHeaders } from './stream-schema.js';

interface ClockQuery {
  readonly interval: number;
  readonly count: number;
  readonly retry?: number;
  readonly event?: string;
  readonly dropAfter?: number;
  readonly lastEventId?: number;
}

interface ClockRequest {
  readonly Querystring: ClockQuery;
  readonly Headers: { readonly 'last-event-id'?: number };
}

export const clockSchema = {
  summary: 'Stream events, one each interval',
  description:
    'Their ids go from 1 to count. A request that has seen some is sent the rest; one that has seen all is 204, which ends the reconnecting of browsers.',
  headers: Type.Object({ 'last-event-id': lastEventId.header }),
  querystring: exactQuery({
    interval: Type.Number({
      minimum: 0,
      maximum: 60,
      default: 1,
      description: 'Seconds between two events.',
    }),
    count: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 10,
      description: 'How many events the whole series has.',
    }),
    retry: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 600_000,
        description: 'Milliseconds after which a client shall come back.',
      }),
    ),
    event: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[^\\r\\n\\u0000]+$',
        description: 'The type of the events.',
      }),
    ),
    dropAfter: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'How many events a connection carries before it is closed.',
      }),
    ),
    lastEventId: lastEventId.query,
  }),
  response: { ...events, 204: Type.Null({ description: 'All events were seen.' }) },
  responseHeaders: streamHeaders,
};

export function clockHandler({ held, clock }: Pick<Services, 'held' | 'clock'>) {
  return async (request: Request<ClockRequest>, reply: Reply): Promise<Readable | null> => {
    const { query } = request;
    const seen = request.headers['last-event-id'] ?? query.lastEventId ?? 0;
    if (seen >= query.count) {
      reply.code(204);
      return null;
    }
    const isDropped = query.dropAfter !== undefined && seen + query.dropAfter < query.count;
    if (isDropped) reply.header('connection', 'close');
    return sendEvents(request as Request, reply, held, (place) => ticks(query, seen, clock, place));
  };
}

async function* ticks(
  { interval, count, retry, event, dropAfter = count }: ClockQuery,
  seen: number,
  clock: Clock,
  place: HeldRequest,
): AsyncGenerator<string> {
  if (retry !== undefined) yield writeRetry(retry);
  const last = Math.min(count, seen + dropAfter);
  for (let n = seen + 1; n <= last; n++) {
    if (n > seen + 1 && interval > 0) await pause(interval * 1000, place);
    if (place.signal.aborted) return;
    const data = JSON.stringify({ n, of: count, at: new Date(clock()).toISOString() });
    yield writeEvent({ id: n, ...(event !== undefined && { event }), data });
  }
}
