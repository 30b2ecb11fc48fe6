/** What a rule does to the next request that meets it, as a function of what it has done before. */

import type { Change } from '../../state/state.js';
import { type Fault, type FaultPlan, kindOf, type Rule } from './fault-plan.js';
import { drawDelayMs, drawsAt } from './seeded-draws.js';

/** A fault with all that is left to chance drawn. */
export interface DrawnFault extends Omit<Fault, 'delayMs' | 'probability' | 'fault'> {
  readonly delayMs?: number;
}

export interface RuleCounts {
  /** How many steps of its sequence were taken. */
  readonly steps: number;
  /** How many of them did something. */
  readonly acts: number;
}

/** What the rules of one plan have done so far. */
export interface PlanCounts {
  /** The number of the plan. */
  readonly plan: number;
  readonly rules: readonly RuleCounts[];
}

/** `stale` when another plan is in force by now; else the fault and which act of the rule it is. */
export type Step = 'stale' | { readonly fault: DrawnFault | undefined; readonly act: number };

const none: RuleCounts = { steps: 0, acts: 0 };

export function takeStep(
  plan: FaultPlan,
  ruleIndex: number,
  counts: PlanCounts | undefined,
): Change<PlanCounts, Step> {
  if (counts !== undefined && counts.plan > plan.number) return { value: counts, result: 'stale' };
  const current = counts?.plan === plan.number ? counts : startCounts(plan);
  const rule = plan.rules[ruleIndex];
  const before = current.rules[ruleIndex] ?? none;
  const given = rule && faultAt(rule, before.steps);
  // A rule that has come to its end counts no further, which spares a write.
  if (given === undefined)
    return { value: current, result: { fault: undefined, act: before.acts } };
  const fault = drawFault(given, plan.seed, ruleIndex, before.steps);
  const after = { steps: before.steps + 1, acts: before.acts + (fault === undefined ? 0 : 1) };
  const rules = current.rules.map((each, index) => (index === ruleIndex ? after : each));
  return { value: { plan: plan.number, rules }, result: { fault, act: after.acts } };
}

export function startCounts({ number, rules }: FaultPlan): PlanCounts {
  return { plan: number, rules: rules.map(() => none) };
}

/** `undefined` once the rule has come to pass. */
function faultAt({ sequence, then }: Rule, steps: number): Fault | undefined {
  if (steps < sequence.length) return sequence[steps];
  if (then === 'repeat') return sequence[steps % sequence.length];
  return then === 'last' ? sequence.at(-1) : undefined;
}

/** `undefined` when the step passes, be it by chance. */
function drawFault(
  given: Fault,
  seed: number,
  rule: number,
  place: number,
): DrawnFault | undefined {
  const draw = drawsAt(seed, rule, place);
  const isHit = given.probability === undefined || draw() < given.probability;
  const acting = given.fault === undefined ? given : isHit ? given.fault : {};
  const delay = acting.delayMs ?? given.delayMs;
  const { delayMs, probability, fault, ...parts } = acting;
  if (delay === undefined && kindOf(parts) === undefined) return undefined;
  return { ...parts, ...(delay !== undefined && { delayMs: drawDelayMs(delay, draw) }) };
}
