/** Challenges as data: steps, each of which one request can take. */

import type { GivenPlan } from '#faults/plan/fault-plan.js';
import type { Exchange } from '#kit/recording/exchange-record.js';

export const tracks = [
  'http',
  'rest',
  'authentication',
  'oidc',
  'graphql',
  'soap',
  'webhooks',
  'streams',
  'grpc',
  'payments',
  'resilience',
] as const;

export type Track = (typeof tracks)[number];

/** Values that earlier exchanges left for later ones, such as an entity tag. */
export type Memo = Readonly<Record<string, string>>;

/** A condition on one exchange, and what a request lacks that does not meet it. */
export type Check = readonly [
  holds: (exchange: Exchange, memo: Memo) => boolean,
  otherwise: string,
];

/** Keeps what the service sent, which a later step compares. Its names in the memo have a space. */
export interface Note {
  /** Methods and routes, such as `GET|HEAD /api/Books/:id`; `*` is any. */
  readonly on: string;
  readonly keep: (exchange: Exchange, memo: Memo) => Memo;
}

export interface Step {
  /** The methods and routes that the step judges, as in {@link Note}. */
  readonly on: string;
  readonly checks: readonly Check[];
  readonly keep?: (exchange: Exchange, memo: Memo) => Memo;
  /** Whether the step is complete after this exchange. Default: it is. */
  readonly isDone?: (memo: Memo) => boolean;
  /** Conditions that no request may fail: afterwards, no other counts. */
  readonly limits?: readonly Check[];
}

/**
 * Requests to solve a challenge, or not to: `GET /path | Name: value | body && …`. See
 * `docs/contributing/add-a-challenge.md`.
 */
export type Script = string;

/** Scripts of a challenge, which are never served. */
export interface Cases {
  /** Lawful ways. */
  readonly accepts: readonly Script[];
  /** Near misses, each with a part of what the last request lacks. */
  readonly rejects: readonly (readonly [lack: string, script: Script])[];
}

export interface Challenge extends Cases {
  readonly id: string;
  readonly track: Track;
  readonly level: 1 | 2 | 3;
  readonly title: string;
  /** One sentence, or two, that say all that is needed and no more. */
  readonly goal: string;
  /** A question, then the section about it, then the request. */
  readonly hints: readonly [string, string, string];
  readonly explanation: string;
  /** Section of the standard. */
  readonly section: string;
  readonly faults?: GivenPlan;
  /** The clock of the sandbox may be moved. */
  readonly isClockFree?: true;
  readonly notes?: readonly Note[];
  readonly steps: readonly Step[];
}
