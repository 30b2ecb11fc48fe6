/** Watches the changes of a table from now on, until the client stops. */

import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLError } from 'graphql';

import { turns } from '#base/work-in-turns.js';
import { ChangeFeed, keptChanges, type RowChange } from '#state/rows/change-feed.js';
import type { Row } from '#state/rows/dataset.js';
import { type Sandbox, StateUnavailableError } from '#state/state.js';

/** Number of changes that are read at once. */
const batch = 10;

/** Time after which an unavailable state is asked again. */
const awayMs = 1000;

/**
 * Yields all later changes in order, until `signal` is aborted. If a client falls so far behind
 * that changes are dropped, an error at the end reports it.
 */
export async function watchChanges<R extends Row>(
  sandbox: Sandbox,
  collection: string,
  signal: AbortSignal,
): Promise<AsyncGenerator<RowChange<R>>> {
  const feed = new ChangeFeed<R>(sandbox, collection);
  return changesAfter(feed, await feed.lastSequence(), signal);
}

async function* changesAfter<R extends Row>(
  feed: ChangeFeed<R>,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<RowChange<R>> {
  let index = start;
  while (!signal.aborted) {
    try {
      // A change may wake thousands at once, each of which reads it.
      await turns.whenFree();
      const changes = await feed.after(index, batch);
      if (changes === undefined) {
        // A reset begins a new feed, whose changes are complete.
        if (index === 0 || (await feed.after(0, 1)) === undefined) throw changesLost();
        index = 0;
        continue;
      }
      for (const change of changes) {
        if (signal.aborted) return;
        index = change.sequence;
        yield change;
        await turns.whenFree();
      }
      if (changes.length === 0) await feed.waitPast(index, signal);
    } catch (error) {
      if (!(error instanceof StateUnavailableError)) throw error;
      await sleep(awayMs, undefined, { signal }).catch(() => {});
    }
  }
}

function changesLost(): GraphQLError {
  return new GraphQLError(
    `Changes were lost: only ${keptChanges.toLocaleString('en')} are kept, and the client read too slowly. Read the records again, and subscribe.`,
    { extensions: { code: 'LIMIT_EXCEEDED', limit: 'keptChanges', maximum: keptChanges } },
  );
}
