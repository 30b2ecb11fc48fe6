/** Server-Sent Events (WHATWG HTML, section 9.2): writes, holds and ends streams. */

import { Readable } from 'node:stream';
import { turns } from '#base/work-in-turns.js';
import { guard } from '#wire/guard.js';
import type { Reply, Request } from '../exchange.js';
import type { HeldRequest, HeldRequests } from '../held-requests.js';

/** Time after which a client reconnects. */
const retryMs = 1000;

/** Below the idle timeouts of proxies, and of this service. */
export const usualHeartbeatMs = 20_000;

/** A comment that clients ignore; it shows that the stream is still open. */
export const heartbeat = ': still here\n\n';

export interface ServerSentEvent {
  readonly id?: string | number;
  readonly event?: string;
  /** May contain line breaks. */
  readonly data: string;
}

export function writeEvent({ id, event, data }: ServerSentEvent): string {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  return `${head}data: ${data.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;
}

export const writeRetry = (ms = retryMs): string => `retry: ${ms}\n\n`;

/**
 * Removes an empty id, which a client that has seen no event may send (WHATWG HTML, section 9.2.2).
 */
export function forgetEmptyId({ headers, query }: Request): void {
  if (headers['last-event-id'] === '') delete headers['last-event-id'];
  const parameters = query as { lastEventId?: unknown };
  if (parameters.lastEventId === '') delete parameters.lastEventId;
}

type Pieces = AsyncIterable<string | Buffer> | Iterable<string | Buffer>;

/** Sets the headers of every event stream. */
export function beginEvents(reply: Reply): void {
  reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    // Stops nginx and similar proxies from buffering events.
    .header('x-accel-buffering', 'no');
}

/**
 * Returns a handler's result that sends the events of `make` until the client leaves. When the
 * service stops, the stream ends with a last `retry`. HEAD gets only the headers. Throws 503 if too
 * many requests are held.
 */
export function sendEvents(
  request: Request,
  reply: Reply,
  held: HeldRequests,
  make: (heldRequest: HeldRequest) => Pieces,
): Readable {
  beginEvents(reply);
  if (request.method === 'HEAD') return Readable.from([]);
  const heldRequest = held.hold(request, reply);
  return streamEvents(heldRequest, inTurns(make(heldRequest)));
}

/** Yields the same chunks, and lets other clients run in between. */
export async function* inTurns(pieces: Pieces): AsyncGenerator<string | Buffer> {
  for await (const piece of pieces) {
    yield piece;
    await turns.whenFree();
  }
}

/** Sends the events of a request that is already held. */
export function streamEvents(heldRequest: HeldRequest, pieces: Pieces): Readable {
  const stream = Readable.from(endingWithRetry(pieces, heldRequest.signal));
  stream.once('close', guard(stream, heldRequest.release));
  return stream;
}

async function* endingWithRetry(
  pieces: Pieces,
  signal: AbortSignal,
): AsyncGenerator<string | Buffer> {
  yield* pieces;
  if (signal.aborted) yield writeRetry();
}

/** Waits for news, for at most a heartbeat, and returns whether there was none. */
export async function isQuiet(
  waitForNews: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  heartbeatMs = usualHeartbeatMs,
): Promise<boolean> {
  const beat = new AbortController();
  const stop = () => beat.abort();
  const timer = setTimeout(stop, heartbeatMs);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  await waitForNews(beat.signal);
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  // News may wake thousands at once.
  await turns.whenFree();
  return beat.signal.aborted && !signal.aborted;
}
