/** What each field of Subscription tells of. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasets } from '../../../data/records.js';
import { checkRange } from './check-input.js';
import type { Arguments } from './queries.js';
import type { RequestContext } from './request-context.js';
import { watchChanges } from './watch-changes.js';

export interface SubscriptionContext extends RequestContext {
  /** Aborted when nobody waits for events any more. */
  readonly signal: AbortSignal;
}

/** The values of the field, one for each event. What it throws rejects the subscription. */
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

  todoChanged: changes('todos', 'todo', ({ userId }) =>
    userId === undefined || userId === null ? undefined : (todo) => todo.userId === userId,
  ),
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
    // An abort is no failure here.
    await sleep(intervalMs, undefined, { signal }).catch(() => {});
  }
}

/** Tells of the changes of a dataset, with the record under a name of its own. */
function changes<Name extends keyof Datasets>(
  name: Name,
  member: string,
  filter: (args: Arguments) => ((row: Datasets[Name][number]) => boolean) | undefined = () =>
    undefined,
): Subscription {
  return async (args, { sandbox, signal }) => {
    const isWanted = filter(args) ?? (() => true);
    const source = await watchChanges<Datasets[Name][number]>(sandbox, name, signal);
    return (async function* describe() {
      for await (const { kind, record } of source) {
        if (isWanted(record)) yield { kind: kind.toUpperCase(), [member]: record };
      }
    })();
  };
}
