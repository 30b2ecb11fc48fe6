/** Challenges as data: steps, each of which one request can take. */

import type { GivenPlan } from '../../faults/plan/fault-plan.js';
import type { Exchange } from '../../kit/recording/exchange-record.js';

export const tracks = [
  'http',
  'rest',
  'authentication',
  'oidc',
  'graphql',
  'soap',
  'webhooks',
  'streams',
  'resilience',
] as const;

export type Track = (typeof tracks)[number];

/** Values that earlier steps keep for later ones, such as an entity tag. */
export type Memo = Readonly<Record<string, string>>;

/** A condition on one exchange, and the words for a client that does not meet it. */
export type Check = readonly [
  holds: (exchange: Exchange, memo: Memo) => boolean,
  otherwise: string,
];

export interface Step {
  /** The remaining work, in words. */
  readonly todo: string;
  /** Methods and route that the step judges, such as `GET|HEAD /api/Books/:id`; `*` is any. */
  readonly on: string;
  readonly checks: readonly Check[];
  readonly keep?: (exchange: Exchange, memo: Memo) => Memo;
  /** Whether the step is complete after this exchange. Default: it is. */
  readonly isDone?: (memo: Memo) => boolean;
  /** A request that fails a check starts the challenge over. */
  readonly isStrict?: true;
}

export interface Challenge {
  readonly id: string;
  readonly track: Track;
  readonly level: 1 | 2 | 3;
  readonly title: string;
  readonly goal: string;
  readonly hints: readonly [string, string, string];
  readonly explanation: string;
  /** Section of the standard. */
  readonly section: string;
  readonly faults?: GivenPlan;
  /** The clock of the sandbox may be moved. */
  readonly isClockFree?: true;
  readonly steps: readonly Step[];
}
