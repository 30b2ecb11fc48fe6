/**
 * Fault plans: rules that assign faults to requests of a sandbox, for a limited number of times.
 */

import type { Space } from '#state/state.js';

/** In milliseconds: a number, a range, or a log-normal distribution. */
export type Delay =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly p99: number };

type GivenHeaders =
  | Readonly<Record<string, string | readonly string[]>>
  | readonly (readonly [name: string, value: string])[];

/** Seconds, which a client must ignore if negative. */
export type RetryAfter = number | { readonly seconds: number; readonly as?: 'seconds' | 'date' };

/** Faults in the head of a response, or at its end. */
export const headFaults = ['lf', 'http10', 'until-close', 'extra-bytes', 'two-lengths'] as const;

export type HeadFault = (typeof headFaults)[number];

/** A step of a sequence: empty to pass, or one kind of fault with its details. */
export interface Fault {
  readonly delayMs?: Delay;
  readonly probability?: number;
  readonly fault?: Fault;
  readonly status?: number;
  /** Sent with that status; without a status, added to the right response. */
  readonly headers?: GivenHeaders;
  readonly headerEncoding?: 'latin1' | 'utf-8';
  readonly body?: unknown;
  /** Instead of `body`. */
  readonly bodyBase64?: string;
  readonly retryAfter?: RetryAfter;
  readonly shape?: 'protocol';
  readonly after?: boolean;
  readonly slow?: number;
  readonly hang?: true;
  readonly empty?: true;
  readonly reset?: true;
  readonly truncate?: number;
  readonly cutChunk?: number;
  readonly badChunk?: true;
  readonly contentType?: string;
  readonly invalidJson?: true;
  readonly corruptEncoding?: 'gzip';
  readonly closeAfter?: true;
  readonly refuse?: true;
  readonly goaway?: true | 'before' | 'graceful';
  readonly head?: HeadFault;
  /** Seconds without a request until the connection is closed. */
  readonly idle?: number;
  /** With `idle`: the seconds in Keep-Alive; without it, there is none. */
  readonly hint?: number;
  readonly shortBody?: true;
  readonly duplicate?: true;
}

/** Kinds of faults; a fault without a kind only waits. */
export const faultKinds = [
  'status',
  'slow',
  'hang',
  'empty',
  'reset',
  'truncate',
  'cutChunk',
  'badChunk',
  'contentType',
  'invalidJson',
  'corruptEncoding',
  'closeAfter',
  'refuse',
  'goaway',
  'head',
  'idle',
  'shortBody',
  'duplicate',
  'headers',
] as const satisfies readonly (keyof Fault)[];

export type FaultKind = (typeof faultKinds)[number];

export interface Match {
  readonly method?: string;
  /** Written like the path of a route. */
  readonly path?: string;
  readonly header?: Readonly<Record<string, string>>;
}

/** After the sequence: no more faults, all of it again, or its last fault forever. */
export type Then = 'pass' | 'repeat' | 'last';

export interface GivenRule {
  readonly name?: string;
  readonly match?: Match;
  readonly sequence: readonly Fault[];
  readonly then?: Then;
}

export interface GivenPlan {
  readonly rules: readonly GivenRule[];
  readonly seed?: number;
}

export interface Rule extends Required<GivenRule> {}

export interface FaultPlan {
  /** Increases with each plan of a sandbox. */
  readonly number: number;
  /** Seeds the random numbers of probabilities and distributions. */
  readonly seed: number;
  readonly rules: readonly Rule[];
}

/** The plan with the number of acts of each rule; no rules without a plan. */
export interface PlanView {
  readonly seed?: number;
  readonly rules: readonly (Rule & { readonly acted: number })[];
}

export const maxRules = 20;
export const maxFaultsPerRule = 50;
export const maxDelayMs = 10_000;
/** The time until the connection of a hanging request is closed. */
export const hangMs = 60_000;
export const maxSeed = 2 ** 32 - 1;

export const planSpace: Space<FaultPlan> = { name: 'fault-plan', maxKeys: 1 };
export const planKey = 'plan';

export function completePlan(
  { rules, seed }: GivenPlan,
  number: number,
  drawnSeed: number,
): FaultPlan {
  return {
    number,
    seed: seed ?? drawnSeed,
    rules: rules.map(({ name, match = {}, sequence, then = 'pass' }, index) => ({
      name: name ?? `rule-${index + 1}`,
      match,
      sequence,
      then,
    })),
  };
}

/** Returns the kinds of a fault, of which there should be at most one. Headers belong to a status. */
export function kindsOf(fault: Fault): readonly FaultKind[] {
  const isOfStatus = (kind: FaultKind) => kind === 'headers' && fault.status !== undefined;
  return faultKinds.filter((kind) => fault[kind] !== undefined && !isOfStatus(kind));
}

/** Returns `undefined` if a fault only waits, or passes. */
export function kindOf(fault: Fault): FaultKind | undefined {
  return kindsOf(fault)[0];
}

/** Faults that can act before the endpoint, instead of it, or after it. */
export const lossyKinds = ['status', 'hang', 'empty', 'reset'] as const;

export type KindBeforeWork = (typeof lossyKinds)[number] | 'refuse';

/** Returns whether a fault says that the request was not processed. */
export function isUnprocessed({ refuse, goaway }: Fault): boolean {
  return refuse === true || goaway === 'before';
}

/** Returns whether a fault acts instead of the endpoint. */
export function isBeforeWork(fault: Fault): boolean {
  const kind = kindOf(fault);
  if (isUnprocessed(fault)) return true;
  return fault.after !== true && lossyKinds.some((each) => each === kind);
}
