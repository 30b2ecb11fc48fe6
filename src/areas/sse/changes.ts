/** What becomes of a collection's records in a sandbox, as it happens. */

import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import {
  heartbeat,
  isQuiet,
  sendEvents,
  writeEvent,
  writeRetry,
} from '../../http/sending/event-stream.js';
import type { Services } from '../../kit/area.js';
import { exactQuery } from '../../kit/describe/exact-query.js';
import { ChangeFeed } from '../../state/rows/change-feed.js';
import type { Row } from '../../state/rows/dataset.js';
import { StateUnavailableError } from '../../state/state.js';
import { events, lastEventId, streamHeaders } from './stream-schema.js';

interface ChangesRequest {
  readonly Querystring: { readonly collection: string; readonly lastEventId?: number };
  readonly Headers: { readonly 'last-event-id'?: number };
}

export const changesSchema = {
  summary: 'Stream the changes of a collection',
  description:
    'An event created, updated or deleted for each, in this sandbox, with {collection, kind, id, record}. A request that has seen some is sent what came after, of the newest 1,000; when more was missed, an event missed says so first.',
  headers: Type.Object({ 'last-event-id': lastEventId.header }),
  querystring: exactQuery({
    collection: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The collection, as in /api/{Collection}, in any case.',
    }),
    lastEventId: lastEventId.query,
  }),
  response: { ...events, 404: errorSchema },
  responseHeaders: streamHeaders,
};

export function changesHandler({ held, sandboxOf, datasets }: Services) {
  const names = Object.keys(datasets).sort();
  return async (request: Request<ChangesRequest>, reply: Reply): Promise<Readable> => {
    const { collection: sent } = request.query;
    const collection = sent.toLowerCase();
    if (!names.includes(collection)) {
      throw new HttpError(404, `collection must be one of ${names.join(', ')}; got "${sent}".`);
    }
    const feed = new ChangeFeed<Row>(sandboxOf(request as Request), collection);
    const seen = request.headers['last-event-id'] ?? request.query.lastEventId;
    const start = seen ?? (await feed.lastSequence());
    return sendEvents(request as Request, reply, held, ({ signal }) =>
      follow(feed, collection, start, signal),
    );
  };
}

/** Read one at a time, so that a slow reader holds nothing but its place. */
async function* follow(
  feed: ChangeFeed<Row>,
  collection: string,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let place = start;
  yield writeRetry();
  while (!signal.aborted) {
    const changes = await look(feed, place);
    if (changes === 'missed') {
      place = await feed.lastSequence();
      // Who missed something has to read the collection again.
      yield writeEvent({ id: place, event: 'missed', data: JSON.stringify({ collection }) });
      continue;
    }
    if (changes !== 'unknown') {
      for (const { sequence, kind, id, record } of changes) {
        place = sequence;
        const data = JSON.stringify({ collection, kind, id, record });
        yield writeEvent({ id: sequence, event: kind, data });
      }
      if (changes.length > 0) continue;
    }
    if (await isQuiet((until) => feed.waitPast(place, until), signal)) yield heartbeat;
  }
}

/** `unknown` while the state cannot be reached, which a stream outlives. */
async function look(feed: ChangeFeed<Row>, place: number) {
  try {
    return (await feed.after(place, 1)) ?? 'missed';
  } catch (error) {
    if (error instanceof StateUnavailableError) return 'unknown';
    throw error;
  }
}
