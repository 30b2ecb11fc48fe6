/** Compares requests of a client: which one reacts to which response, and which ones are the same. */

/** Times of an exchange, by one clock. */
export interface ExchangeTimes {
  /** Arrival of the first byte of the request. */
  readonly arrivedAtMs: number;
  /** When the last byte of the response was handed to the socket; absent before. */
  readonly answeredAtMs?: number;
}

/**
 * Whether a request can react to an earlier response: overlapping requests are never retries of one
 * another.
 */
export function isAfterResponse(
  { arrivedAtMs }: Pick<ExchangeTimes, 'arrivedAtMs'>,
  { answeredAtMs }: Pick<ExchangeTimes, 'answeredAtMs'>,
): boolean {
  return answeredAtMs !== undefined && arrivedAtMs >= answeredAtMs;
}

export interface ComparedRequest {
  readonly method: string;
  /** Path and query as sent, or their digest. */
  readonly target: string;
  /** Digest of the body: empty without one, `null` if unknown. */
  readonly body: string | null;
  /** `null` without a valid one. */
  readonly idempotencyKey?: string | null;
  /** Credentials or their digest; another client has others. */
  readonly authorization?: string | undefined;
}

/**
 * Whether two requests are one request sent twice: the same method, target and credentials, and the
 * same body or idempotency key. `null` if it cannot be told.
 */
export function isSameRequest(one: ComparedRequest, other: ComparedRequest): boolean | null {
  if (one.method !== other.method || one.target !== other.target) return false;
  if (one.authorization !== other.authorization) return false;
  const key = one.idempotencyKey ?? null;
  if (key !== null && key === (other.idempotencyKey ?? null)) return true;
  return one.body === null || other.body === null ? null : one.body === other.body;
}
