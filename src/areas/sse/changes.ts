/** Streams the changes of a collection's records in a sandbox. */

import { Type } from 'typebox';
import type { HeldRequests } from '#http/held-requests.js';
import { HttpError } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import {
  forgetEmptyId,
  heartbeat,
  isQuiet,
  sendEvents,
  writeEvent,
  writeRetry,
} from '#http/sending/event-stream.js';
import { endpoint } from '#kit/endpoint.js';
import { ChangeFeed } from '#state/rows/change-feed.js';
import type { Row } from '#state/rows/dataset.js';
import { StateUnavailableError } from '#state/state.js';
import { lastEventId, stream } from './stream-schemas.js';

export const streamChanges = (held: HeldRequests, collections: readonly string[]) =>
  endpoint('GET', '/api/sse/changes', {
    ...stream,
    summary: 'Stream the changes of a collection',
    description:
      'An event created, updated or deleted for each change in this sandbox, with {collection, kind, id, record}. A request with the id of an earlier event gets all later ones, from the newest 1,000. If some are no longer kept, an event missed comes first.',
    before: forgetEmptyId,
    headers: lastEventId.header,
    query: {
      collection: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The collection, as in /api/{Collection}, in any letter case.',
      }),
      ...lastEventId.query,
    },
    responses: { ...stream.responses, 404: errorSchema },
    async handle(request, reply) {
      const { collection: sent, lastEventId } = request.query;
      const collection = sent.toLowerCase();
      if (!collections.includes(collection)) {
        const names = collections.join(', ');
        throw new HttpError(404, `collection must be one of ${names}; got "${sent}".`);
      }
      const feed = new ChangeFeed<Row>(request.sandbox, collection);
      const seen = request.headers['last-event-id'] ?? lastEventId ?? (await feed.lastSequence());
      return sendEvents(request, reply, held, ({ signal }) =>
        follow(feed, collection, seen, signal),
      );
    },
  });

async function* follow(
  feed: ChangeFeed<Row>,
  collection: string,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let index = start;
  yield writeRetry();
  while (!signal.aborted) {
    try {
      // One at a time, so that a slow reader holds only its position.
      const changes = await feed.after(index, 1);
      if (changes === undefined) {
        index = await feed.lastSequence();
        // The client has to read the collection again.
        yield writeEvent({ id: index, event: 'missed', data: JSON.stringify({ collection }) });
        continue;
      }
      const [change] = changes;
      if (change !== undefined) {
        const { sequence, kind, id, record } = change;
        index = sequence;
        const data = JSON.stringify({ collection, kind, id, record });
        yield writeEvent({ id: sequence, event: kind, data });
        continue;
      }
    } catch (error) {
      // The stream survives an unavailable state.
      if (!(error instanceof StateUnavailableError)) throw error;
    }
    if (await isQuiet((until) => feed.waitPast(index, until), signal)) yield heartbeat;
  }
}
