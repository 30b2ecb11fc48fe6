/** The log of the requests that met a rule of a fault plan. */

import type { LogSpace } from '../../state/state.js';
import type { DrawnFault, PlanCounts } from './take-step.js';

/** A fault without the content of its response. */
export type ShownFault = Omit<DrawnFault, 'headers' | 'body'>;

export interface Attempt {
  readonly plan: number;
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly rule: string;
  /** `null` when the request passed. */
  readonly fault: ShownFault | null;
  readonly connectionReused: boolean;
  /** The time of its arrival, by the real clock. */
  readonly timeMs: number;
  readonly answeredAtMs: number;
  /** Whether the response is a success for a client. */
  readonly isSuccess: boolean;
  readonly retryAfterMs?: number;
  /** Whether the client knows that nothing was done: RFC 9113 section 8.7. */
  readonly isUnprocessed?: true;
  /** A digest of the body; empty without one, `null` when not all of it arrived. */
  readonly body: string | null;
}

export const maxAttempts = 1000;

export const maxLoggedLength = 500;

/** The counts of the current plan with the attempts at it. */
export const attemptsSpace: LogSpace<PlanCounts, Attempt> = {
  name: 'fault-attempts',
  maxKeys: 1,
  maxEntries: maxAttempts,
};
export const attemptsKey = 'attempts';
