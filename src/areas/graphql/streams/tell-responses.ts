/** From an operation to its responses on a stream, whatever kind it is. */

import type { Awaitable } from '../../../base/awaitable.js';
import type { Operation, Responses } from '../execution/create-engine.js';
import type { Outcome } from '../execution/outcome.js';
import type { Frames } from './event-frames.js';
import type { Outbox } from './outbox.js';

/** Begins an operation; one that is rejected, and a query or mutation, has one response. */
export async function beginResponses(
  prepared: Operation | Outcome,
  signal: AbortSignal,
): Promise<Responses> {
  if ('kind' in prepared) return once(() => String(prepared.body));
  if (prepared.type === 'subscription') {
    const begun = await prepared.subscribe(signal);
    return 'kind' in begun ? once(() => String(begun.body)) : begun;
  }
  return once(async () => String((await prepared.run()).body));
}

async function* once(response: () => Awaitable<string>): AsyncGenerator<() => Awaitable<string>> {
  yield response;
}

/** Offers all responses, and then that there are no more, unless `signal` was aborted. */
export async function tellResponses(
  responses: Responses,
  frames: Frames,
  outbox: Outbox,
  signal: AbortSignal,
): Promise<void> {
  for await (const response of responses) {
    await outbox.offer(async () => (signal.aborted ? '' : frames.next(await response())));
    if (signal.aborted) return;
  }
  await outbox.offer(() => (signal.aborted ? '' : frames.complete()));
}
