/**
 * Sends an operation's responses on a stream: the GraphQL over Server-Sent Events Protocol, in both
 * of its modes.
 */

import { writeEvent } from '#http/sending/event-stream.js';
import type { Outcome } from '../outcome/outcome.js';
import type { Operation, Responses } from '../request/operation.js';
import type { Outbox } from './outbox.js';

/** Event formats of responses. `body` is JSON. */
interface Frames {
  next(body: string): string;
  complete(): string;
}

/** For a connection with one operation. */
export const distinctFrames: Frames = {
  next: (data) => writeEvent({ event: 'next', data }),
  complete: () => writeEvent({ event: 'complete', data: '' }),
};

/** For a connection with many operations, which have ids. */
export function framesOf(id: string): Frames {
  const idJson = JSON.stringify(id);
  return {
    next: (body) => writeEvent({ event: 'next', data: `{"id":${idJson},"payload":${body}}` }),
    complete: () => writeEvent({ event: 'complete', data: `{"id":${idJson}}` }),
  };
}

/** Begins an operation; a rejected operation has one response. */
export async function beginResponses(
  prepared: Operation | Outcome,
  signal: AbortSignal,
): Promise<Responses> {
  const begun = 'kind' in prepared ? prepared : await prepared.begin(signal);
  return 'kind' in begun ? rejection(begun) : begun;
}

async function* rejection({ body }: Outcome): AsyncGenerator<() => string> {
  yield () => String(body);
}

/** Sends all responses, and then the end, unless `signal` was aborted. */
export async function sendResponses(
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
