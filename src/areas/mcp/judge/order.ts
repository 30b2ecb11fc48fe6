/** The order of a request and an earlier response. */

/** When and where a request arrived. */
export interface Arrival {
  /** Arrival of its head, by the clock of the sandbox. */
  readonly sentAtMs: number;
  readonly connection: string;
  /** Whether requests overlap on the connection. */
  readonly isMultiplexed: boolean;
}

/** A response: when it was handed to the socket, and the connection. */
export interface Responded {
  readonly respondedAtMs: number;
  readonly connection: string;
}

/** A busy service reads requests that were sent together this far apart. */
const crossingMs = 50;

/**
 * Returns whether a request was sent after a response. Both may have crossed if the request arrived
 * soon after, on another connection. Over HTTP/2, requests of one connection overlap.
 */
export function orderOf(
  { sentAtMs, connection, isMultiplexed }: Arrival,
  responded: Responded,
): 'before' | 'after' | 'crossing' {
  if (sentAtMs < responded.respondedAtMs) return 'before';
  if (connection === responded.connection && !isMultiplexed) return 'after';
  return sentAtMs - responded.respondedAtMs < crossingMs ? 'crossing' : 'after';
}
