/** Resolvers of Subscription. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasets } from '#data/records.js';
import type { Row } from '#state/rows/dataset.js';
import { checkRange } from './check-input.js';
import type { Arguments } from './queries.js';
import type { RequestContext } from './request-context.js';
import { watchChanges } from './watch-changes.js';

export interface SubscriptionContext extends RequestContext {
  /** Aborted when the client no longer waits for events. */
  readonly signal: AbortSignal;
}

/** Yields the values of the field, one for each event. An error rejects the subscription. */
type Subscription = (
  args: Arguments,
  context: SubscriptionContext,
) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;

const maxFrom = 1000;
const maxIntervalSeconds = 60;

export const subscriptions: Readonly<Record<string, Subscription>> = {
  countdown({ from, interval }, { signal }) {
    const first = checkRange('from', from as number, 0, maxFrom);
    const seconds = checkRange('interval', (interval ?? 1) as number, 0, maxIntervalSeconds);
    return countDown(first, seconds * 1000, signal);
  },

  todoChanged: changes('todos', 'todo'),
  postChanged: changes('posts', 'post'),
  eventChanged: changes('events', 'event'),
  userChanged: changes('users', 'user'),
};

async function* countDown(
  from: number,
  intervalMs: number,
  signal: AbortSignal,
): AsyncGenerator<number> {
  for (let number = from; number >= 0 && !signal.aborted; number--) {
    yield number;
    if (number === 0 || intervalMs === 0) continue;
    // An abort is not an error here.
    await sleep(intervalMs, undefined, { signal }).catch(() => {});
  }
}

/** Yields the changes of rows that match the arguments, with the row under its own member name. */
function changes(name: keyof Datasets, member: string): Subscription {
  return async (args, { sandbox, signal }) => {
    const wanted = Object.entries(args).filter(
      ([, value]) => value !== null && value !== undefined,
    );
    const source = await watchChanges<Record<string, unknown> & Row>(sandbox, name, signal);
    return (async function* describe() {
      for await (const { kind, record } of source) {
        const isWanted = wanted.every(([argument, value]) => record[argument] === value);
        if (isWanted) yield { kind: kind.toUpperCase(), [member]: record };
      }
    })();
  };
}
