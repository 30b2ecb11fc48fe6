/** Computes the next step of a rule from its earlier ones. */

import type { Change } from '#state/state.js';
import { type Fault, type FaultPlan, kindOf, type Rule } from './fault-plan.js';
import { drawDelayMs, drawsAt } from './seeded-draws.js';

/** A fault with its random values drawn. */
export interface DrawnFault extends Omit<Fault, 'delayMs' | 'probability' | 'fault'> {
  readonly delayMs?: number;
}

export interface RuleCounts {
  readonly steps: number;
  /** Steps that were faults. */
  readonly acts: number;
}

export interface PlanCounts {
  readonly plan: number;
  readonly rules: readonly RuleCounts[];
}

/** `stale` when another plan has replaced this one; otherwise the fault and the number of the act. */
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
  // The end of a rule is not counted, which saves a write.
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

/** `undefined` after the end of a rule. */
function faultAt({ sequence, then }: Rule, steps: number): Fault | undefined {
  if (steps < sequence.length) return sequence[steps];
  if (then === 'repeat') return sequence[steps % sequence.length];
  return then === 'last' ? sequence.at(-1) : undefined;
}

/** Returns `undefined` if the step passes, also by chance. */
function drawFault(
  given: Fault,
  seed: number,
  rule: number,
  index: number,
): DrawnFault | undefined {
  const draw = drawsAt(seed, rule, index);
  const isHit = given.probability === undefined || draw() < given.probability;
  const acting = given.fault === undefined ? given : isHit ? given.fault : {};
  const delay = acting.delayMs ?? given.delayMs;
  const { delayMs, probability, fault, ...parts } = acting;
  if (delay === undefined && kindOf(parts) === undefined) return undefined;
  return { ...parts, ...(delay !== undefined && { delayMs: drawDelayMs(delay, draw) }) };
}
