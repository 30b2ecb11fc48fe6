/** Compares requests of a client: which one may react to which response, and which ones are the same. */

import type { Request } from '../../http/exchange.js';
import { beginningOf } from '../../wire/http1/one-at-a-time.js';
import { requestsOn } from '../../wire/receive-request.js';

/** When and where a request arrived. Times are by the real clock. */
export interface Arrival {
  readonly timeMs: number;
  /** Arrival of its first byte, if earlier. */
  readonly beganAtMs?: number;
  /** Absent on HTTP/2, where requests of a connection overlap. */
  readonly connection?: string;
  readonly connectionReused: boolean;
  /** When its connection was accepted, if it is the first request there. */
  readonly acceptedAtMs?: number;
}

export function arrivalOf({ raw }: Pick<Request, 'raw'>, timeMs: number): Arrival {
  const { connection, earlyMs, acceptedMs } = beginningOf(raw);
  const connectionReused = requestsOn(raw.socket) > 1;
  return {
    connectionReused,
    timeMs,
    ...(connection !== undefined && { connection }),
    ...(earlyMs !== undefined && { beganAtMs: timeMs - earlyMs }),
    ...(acceptedMs !== undefined && !connectionReused && { acceptedAtMs: timeMs - acceptedMs }),
  };
}

/** A busy service reads requests that were sent together this far apart. */
export const crossingMs = 50;

/**
 * Whether a request may react to a response, whose last byte was handed to the socket at this time.
 * Overlapping requests are never retries of one another.
 */
export function isAfterResponse({ timeMs, beganAtMs }: Arrival, respondedAtMs: number) {
  // Times of responses are whole milliseconds, rounded down.
  return beganAtMs === undefined ? timeMs >= respondedAtMs : beganAtMs >= respondedAtMs + 1;
}

/**
 * Whether it is certain that a request was sent after the response to an earlier one: on the same
 * connection, on a later one, or long after. Otherwise they may have crossed on the way.
 */
export function isCertainlyAfter(
  next: Arrival,
  { connection }: Pick<Arrival, 'connection'>,
  respondedAtMs: number,
): boolean {
  const { acceptedAtMs = 0, timeMs } = next;
  if (!isAfterResponse(next, respondedAtMs)) return false;
  if (connection !== undefined && connection === next.connection) return true;
  // Times of responses are whole milliseconds.
  return acceptedAtMs - respondedAtMs >= 1 || timeMs - respondedAtMs >= crossingMs;
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
