/** Server-Sent Events (WHATWG HTML, section 9.2): how they are written, held open and ended. */

import { Readable } from 'node:stream';
import { turns } from '../../base/work-in-turns.js';
import type { Reply, Request } from '../exchange.js';
import type { HeldRequest, HeldRequests } from '../held-requests.js';

export const eventStreamType = 'text/event-stream; charset=utf-8';

/** How soon a client comes back after a break. */
export const retryMs = 1000;

/** Below every proxy's and our own idle timeout. */
export const usualHeartbeatMs = 20_000;

/** Passed over by every client; it shows that the stream is still there. */
export const heartbeat = ': still here\n\n';

export interface ServerSentEvent {
  readonly id?: string | number;
  readonly event?: string;
  /** May have several lines. */
  readonly data: string;
}

export function writeEvent({ id, event, data }: ServerSentEvent): string {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  return `${head}data: ${data.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;
}

export const writeRetry = (ms = retryMs): string => `retry: ${ms}\n\n`;

type Pieces = AsyncIterable<string | Buffer> | Iterable<string | Buffer>;

/** Sets what every stream of events has. */
export function beginEvents(reply: Reply): void {
  reply
    .header('content-type', eventStreamType)
    // Proxies of the nginx family would hold events back.
    .header('x-accel-buffering', 'no');
}

/**
 * What a handler returns to send the events that `make` gives, for as long as the client stays. At a stop they end
 * after a last `retry`. HEAD gets the headers alone. Throws 503 when as many requests are held as may be.
 */
export function sendEvents(
  request: Request,
  reply: Reply,
  held: HeldRequests,
  make: (place: HeldRequest) => Pieces,
): Readable {
  beginEvents(reply);
  if (request.method === 'HEAD') return Readable.from([]);
  const place = held.hold(request, reply);
  return streamEvents(place, inTurns(make(place)));
}

/**
 * Pieces a turn at a time, however many there are at once: a client that asks for little gets its response in
 * between.
 */
export async function* inTurns(pieces: Pieces): AsyncGenerator<string | Buffer> {
  for await (const piece of pieces) {
    yield piece;
    await turns.whenFree();
  }
}

/** The same for a request that is held already, and pieces that come at a pace of their own. */
export function streamEvents(place: HeldRequest, pieces: Pieces): Readable {
  const stream = Readable.from(endingWithRetry(pieces, place.signal));
  stream.once('close', place.release);
  return stream;
}

async function* endingWithRetry(
  pieces: Pieces,
  signal: AbortSignal,
): AsyncGenerator<string | Buffer> {
  yield* pieces;
  if (signal.aborted) yield writeRetry();
}

/** Waits for news, for at most a heartbeat, and says whether there were none. */
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
