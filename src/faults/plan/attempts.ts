/** Logs the requests that matched a rule of a fault plan. */

import type { Shown } from '../../base/text/redact.js';
import type { LogSpace } from '../../state/state.js';
import type { DrawnFault, PlanCounts } from './take-step.js';

/** A fault without the content of its response. */
export type ShownFault = Omit<DrawnFault, 'headers' | 'body'>;

export interface Attempt {
  readonly plan: number;
  readonly requestId: string;
  readonly method: string;
  /** Without a query, as others may see it. */
  readonly path: Shown;
  readonly idempotencyKey: Shown | null;
  /** Digest of the path and the key as sent, if others see less of them. */
  readonly sentAs?: string;
  readonly rule: string;
  /** `null` when the request passed. */
  readonly fault: ShownFault | null;
  readonly connectionReused: boolean;
  /** Time of arrival, by the real clock. */
  readonly timeMs: number;
  readonly respondedAtMs: number;
  /** Whether the response is a success to a client. */
  readonly isSuccess: boolean;
  readonly retryAfterMs?: number;
  /** Whether the client knows that the request was not processed: RFC 9113 section 8.7. */
  readonly isUnprocessed?: true;
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
