/** Fault plans: which requests of a sandbox meet which faults, and when that ends. */

import type { Space } from '../../state/state.js';

/** In milliseconds: as many, any between two, or as a log-normal distribution has them. */
export type Delay =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly p99: number };

/** By name, or as pairs of name and value, in which a name may come again. */
type GivenHeaders =
  | Readonly<Record<string, string>>
  | readonly (readonly [name: string, value: string])[];

export type RetryAfter = number | { readonly seconds: number; readonly as?: 'seconds' | 'date' };

/** One step of a sequence, as it is given: empty to pass, else one kind of fault and what belongs to it. */
export interface Fault {
  readonly delayMs?: Delay;
  readonly probability?: number;
  readonly fault?: Fault;
  readonly status?: number;
  readonly headers?: GivenHeaders;
  readonly body?: unknown;
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
  readonly duplicate?: true;
}

/** What a fault does, beside a delay; each fault does one of them. */
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
  'duplicate',
] as const satisfies readonly (keyof Fault)[];

export type FaultKind = (typeof faultKinds)[number];

export interface Match {
  readonly method?: string;
  /** As routes are written. */
  readonly path?: string;
  readonly header?: Readonly<Record<string, string>>;
}

/** What comes after the sequence: nothing any more, all of it again, or its last fault for ever. */
export type Then = 'pass' | 'repeat' | 'last';

/** A rule as a caller gives it. */
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
  /** Of two plans of a sandbox the later has the larger one. */
  readonly number: number;
  /** What probabilities and distributions are drawn by. */
  readonly seed: number;
  readonly rules: readonly Rule[];
}

/** The plan as it is shown, with how often each rule acted; no rules where there is none. */
export interface PlanView {
  readonly seed?: number;
  readonly rules: readonly (Rule & { readonly acted: number })[];
}

export const maxRules = 20;
export const maxFaultsPerRule = 50;
export const maxDelayMs = 10_000;
/** How long a request hangs before its connection is closed. */
export const hangMs = 60_000;
/** Beyond 32 bits no seed draws anything else. */
export const maxSeed = 2 ** 32 - 1;

export const planSpace: Space<FaultPlan> = { name: 'fault-plan', maxKeys: 1 };
export const planKey = 'plan';

/** The plan with everything filled in that was left out. */
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

/** What a fault does; `undefined` when it only waits, or passes. */
export function kindOf(fault: Fault): FaultKind | undefined {
  return faultKinds.find((kind) => fault[kind] !== undefined);
}

const kindsBeforeWork: readonly (FaultKind | undefined)[] = ['status', 'hang', 'empty', 'reset'];

/** Whether it acts in place of the work that was asked for. */
export function isBeforeWork(fault: Fault): boolean {
  return fault.after !== true && kindsBeforeWork.includes(kindOf(fault));
}
