/** Streams due deliveries to a listener as Server-Sent Events (WHATWG HTML, section 9.2). */

import { heartbeat, isQuiet, writeEvent, writeRetry } from '#http/sending/event-stream.js';
import { type Sandbox, StateUnavailableError } from '#state/state.js';
import { subscriptionOf } from '../model/subscriptions.js';
import {
  type Connected,
  type Delivery,
  disconnectListener,
  handOutDue,
  positionOf,
  waitForNews,
} from './deliveries.js';

export interface Streamed {
  readonly sandbox: Sandbox;
  readonly id: string;
  readonly connected: Connected;
  /** Returns the data of an event. */
  readonly show: (delivery: Delivery, nowMs: number) => object;
  readonly signal: AbortSignal;
}

/** More often than a listener loses its deliveries. */
const heartbeatMs = 10_000;

/**
 * Yields each due delivery, at the pace of the reader. At the end, yields `deleted` if the subscription is gone, and
 * `replaced` after the listener has connected again.
 */
export async function* streamDeliveries(streamed: Streamed): AsyncGenerator<string> {
  const { sandbox, id, connected, signal } = streamed;
  yield writeRetry();
  try {
    while (!signal.aborted) {
      const position = await ignoringOutage(() => positionOf(sandbox, id));
      const handed = await ignoringOutage(() => next(streamed));
      if (typeof handed === 'string') {
        yield writeEvent({ event: handed, data: '{}' });
        return;
      }
      for (const delivery of handed ?? []) {
        const data = JSON.stringify(streamed.show(delivery, await sandbox.now()));
        yield writeEvent({ id: delivery.open?.handout ?? 0, event: 'delivery', data });
      }
      if (handed !== undefined && handed.length > 0) continue;
      const news = (until: AbortSignal) =>
        waitForNews(sandbox, id, position ?? { events: 0, changes: 0 }, until);
      if (await isQuiet(news, signal, heartbeatMs)) yield heartbeat;
    }
  } finally {
    await ignoringOutage(() => disconnectListener(sandbox, id, connected));
  }
}

async function next({ sandbox, id, connected }: Streamed) {
  const subscription = await subscriptionOf(sandbox, id);
  if (subscription === undefined) return 'deleted';
  return (await handOutDue(sandbox, subscription, connected)) ?? 'replaced';
}

/** Returns `undefined` while the state is unavailable; the stream survives that. */
async function ignoringOutage<Value>(run: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof StateUnavailableError) return undefined;
    throw error;
  }
}
