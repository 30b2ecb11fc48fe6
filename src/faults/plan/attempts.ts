/** What is kept of each request that met a rule of a fault plan. */

import type { LogSpace } from '../../state/state.js';
import type { DrawnFault, PlanCounts } from './take-step.js';

/** What acted, without what a response was made of. */
export type ShownFault = Omit<DrawnFault, 'headers' | 'body'>;

export interface Attempt {
  /** The number of the plan. */
  readonly plan: number;
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly rule: string;
  /** `null` when the request passed. */
  readonly fault: ShownFault | null;
  readonly connectionReused: boolean;
  /** By the real clock: when it came. */
  readonly timeMs: number;
  /** When its response, or the loss of it, began. */
  readonly answeredAtMs: number;
  /** Whether a client would take it for done. */
  readonly isSuccess: boolean;
  /** What Retry-After asked for. */
  readonly retryAfterMs?: number;
  /** A digest of the body; empty without one, `null` when not all of it was seen. */
  readonly body: string | null;
}

export const maxAttempts = 1000;

/** Of a path or a key in the log. */
export const maxLoggedLength = 500;

/** The counts of the plan in force, and beside them the attempts at it. */
export const attemptsSpace: LogSpace<PlanCounts, Attempt> = {
  name: 'fault-attempts',
  maxKeys: 1,
  maxEntries: maxAttempts,
};
export const attemptsKey = 'attempts';
