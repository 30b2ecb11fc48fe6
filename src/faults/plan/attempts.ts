/** Logs the requests that matched a rule of a fault plan. */

import type { Shown } from '#base/text/redact.js';
import type { Arrival } from '#kit/verdict/exchange.js';
import type { LogSpace } from '#state/state.js';
import type { DrawnFault, PlanCounts } from './take-step.js';

/** A fault without the content of its response. */
export type ShownFault = Omit<DrawnFault, 'headers' | 'body'>;

export interface Attempt extends Arrival {
  readonly plan: number;
  readonly requestId: string;
  readonly method: string;
  /** Without a query, as others may see it. */
  readonly path: Shown;
  /** The key as others may see it. */
  readonly idempotencyKey: Shown | null;
  /** Digest of the key; `null` without a valid one. */
  readonly key: string | null;
  /** Digest of path and query as sent. */
  readonly target: string;
  /** Digest of the credentials, if any. */
  readonly authorization?: string;
  /** Digest of all headers that may change the response. */
  readonly headers: string;
  /** Whether it does no harm twice: by its method, its condition, or because it only reads; `null` if that is unknown. */
  readonly isRepeatable: boolean | null;
  readonly rule: string;
  /** `null` when the request passed. */
  readonly fault: ShownFault | null;
  /** When the end of the response was handed to the socket, or the connection was ended. */
  readonly respondedAtMs: number;
  /** Absent if no response was sent. */
  readonly status?: number;
  /** Whether the response is a success to a client. */
  readonly isSuccess: boolean;
  readonly retryAfterMs?: number;
  /** Whether the client knows that the request was not processed: RFC 9113 section 8.7. */
  readonly isUnprocessed?: true;
  /** Multipart bodies have another boundary each time. */
  readonly isMultipart?: true;
  /** Digest of the body; empty without a body, `null` if it did not fully arrive. */
  readonly body: string | null;
}

export const maxAttempts = 1000;

export const maxLoggedLength = 500;

/** Counts of the current plan, with its attempts. */
export const attemptsSpace: LogSpace<PlanCounts, Attempt> = {
  name: 'fault-attempts',
  maxKeys: 1,
  maxEntries: maxAttempts,
};
export const attemptsKey = 'attempts';
