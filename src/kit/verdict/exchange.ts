/** Compares requests of a client: which one may react to which response, and which ones are the same. */

import type { Reply, Request } from '#http/exchange.js';
import { beginningOf } from '#wire/http1/one-at-a-time.js';
import { requestsOn } from '#wire/receive-request.js';

/** When and where a request arrived. Times are by one clock, real or of the sandbox. */
export interface Arrival {
  /** Arrival of its head. */
  readonly timeMs: number;
  /** Arrival of its first byte, if earlier. */
  readonly beganAtMs?: number;
  /** Absent on HTTP/2, where requests of a connection overlap. */
  readonly connection?: string;
  readonly connectionReused: boolean;
  /** When its connection was accepted, if it is the first request there. */
  readonly acceptedAtMs?: number;
}

/** A response: when it was handed to the socket, and its connection. */
export interface Responded extends Pick<Arrival, 'connection'> {
  readonly respondedAtMs: number;
}

/** Returns the arrival of a request whose head arrived `agoMs` before `nowMs`. */
export function arrivalOf({ raw }: Pick<Request, 'raw'>, nowMs: number, agoMs = 0): Arrival {
  const { connection, earlyMs, acceptedMs } = beginningOf(raw);
  const connectionReused = requestsOn(raw.socket) > 1;
  return {
    connectionReused,
    // Clocks have no fractions: a request must not seem older than it is.
    timeMs: Math.ceil(nowMs - agoMs),
    ...(connection !== undefined && { connection }),
    ...(earlyMs !== undefined && { beganAtMs: nowMs - earlyMs }),
    ...(acceptedMs !== undefined && !connectionReused && { acceptedAtMs: nowMs - acceptedMs }),
  };
}

/** The same for a request that has been handled, or delayed on purpose, since its arrival. */
export const arrivalBefore = ({ request, startedAtMs }: Reply, nowMs: number): Arrival =>
  arrivalOf(request, nowMs, performance.now() - startedAtMs);

/** A busy service reads requests that were sent together this far apart. */
export const crossingMs = 50;

/**
 * Whether a request may react to a response, whose last byte was handed to the socket at this time.
 * Overlapping requests are never retries of one another.
 */
export function isAfterResponse({ timeMs, beganAtMs }: Arrival, respondedAtMs: number): boolean {
  // Times of responses are whole milliseconds, rounded down.
  return beganAtMs === undefined ? timeMs >= respondedAtMs : beganAtMs >= respondedAtMs + 1;
}

/**
 * Returns whether a request was sent after a response. That is certain on the same connection, on a
 * later one, or long after. Otherwise they may have crossed on the way.
 */
export function orderOf(
  next: Arrival,
  { connection, respondedAtMs }: Responded,
): 'before' | 'crossing' | 'after' {
  const { acceptedAtMs = 0, timeMs } = next;
  if (!isAfterResponse(next, respondedAtMs)) return 'before';
  if (connection !== undefined && connection === next.connection) return 'after';
  const isFarApart = acceptedAtMs - respondedAtMs >= 1 || timeMs - respondedAtMs >= crossingMs;
  return isFarApart ? 'after' : 'crossing';
}

export interface ComparedRequest {
  readonly method: string;
  /** Path and query as sent, or their digest. */
  readonly target: string;
  /** Digest of the body: empty without one, `null` if unknown. */
  readonly body: string | null;
  /** `null` without a valid idempotency key. */
  readonly key?: string | null;
  /** Credentials or their digest; another client has others. */
  readonly authorization?: string;
}

/**
 * Returns the same text for requests that are one request sent again: of the same method, target
 * and credentials, and with the same idempotency key or, without keys, the same body. By body, keys
 * are not compared.
 */
export function identityOf(
  { method, target, authorization, key = null, body }: ComparedRequest,
  by: 'key' | 'body' = 'key',
): string {
  const isByKey = by === 'key' && key !== null;
  return JSON.stringify([method, target, authorization, isByKey ? { key } : body]);
}
