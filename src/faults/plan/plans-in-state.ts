/** Stores the fault plan of a sandbox, the acts of its rules, and the log of attempts. */

import { randomInt } from 'node:crypto';
import type { Awaitable } from '#base/awaitable.js';
import { heapBytes, textBytes } from '#state/rows/heap-bytes.js';
import type { Log, Sandbox } from '#state/state.js';
import { type Attempt, attemptsKey, attemptsSpace, maxAttempts } from './attempts.js';
import {
  completePlan,
  type FaultPlan,
  type GivenPlan,
  maxSeed,
  type PlanView,
  planKey,
  planSpace,
} from './fault-plan.js';
import { type Attempted, findRule } from './match-rule.js';
import type { NumberedAttempt } from './series.js';
import { type DrawnFault, startCounts, takeStep } from './take-step.js';

/** Tries of a request that meets an outdated plan. */
const maxLooks = 3;

export function readPlan(sandbox: Sandbox): Awaitable<FaultPlan | undefined> {
  return sandbox.read(planSpace, planKey);
}

/** Replaces the plan, resets the counts, and empties the log. */
export async function putPlan(
  sandbox: Sandbox,
  given: GivenPlan,
  nowMs: number,
): Promise<FaultPlan> {
  const seed = randomInt(maxSeed);
  const plan = await sandbox.update(planSpace, planKey, (before) => {
    // Larger than numbers from before a reset of the sandbox, too.
    const number = Math.max(nowMs, (before?.number ?? 0) + 1);
    const value = completePlan(given, number, seed);
    // Header names and compiled rules need memory as well.
    const bytes = heapBytes(value) + textBytes(JSON.stringify(value));
    return { value, bytes, result: value };
  });
  await sandbox.update(attemptsSpace, attemptsKey, (counts) => {
    const isBehind = counts === undefined || counts.plan < plan.number;
    return { value: isBehind ? startCounts(plan) : counts, result: undefined };
  });
  await logOf(sandbox).clear();
  return plan;
}

export async function endPlan(sandbox: Sandbox): Promise<void> {
  await sandbox.update(planSpace, planKey, () => ({ value: undefined, result: undefined }));
}

export async function viewPlan(sandbox: Sandbox): Promise<PlanView> {
  const plan = await readPlan(sandbox);
  if (plan === undefined) return { rules: [] };
  const counts = await sandbox.read(attemptsSpace, attemptsKey);
  const acts = counts?.plan === plan.number ? counts.rules.map((each) => each.acts) : [];
  return {
    rules: plan.rules.map((rule, index) => ({ ...rule, acted: acts[index] ?? 0 })),
    seed: plan.seed,
  };
}

export interface RuleMatch {
  readonly plan: number;
  readonly rule: string;
  /** Number of the act of the rule, from 1. */
  readonly act: number;
  /** `undefined` if the request passes. */
  readonly fault: DrawnFault | undefined;
}

/** Performs a step of the first matching rule; returns `undefined` if none matches. */
export async function applyPlan(
  sandbox: Sandbox,
  found: FaultPlan,
  request: Attempted,
): Promise<RuleMatch | undefined> {
  let plan: FaultPlan | undefined = found;
  for (let look = 0; look < maxLooks && plan !== undefined; look++) {
    const current: FaultPlan = plan;
    const index = findRule(current, request);
    const rule = current.rules[index];
    if (rule === undefined) return undefined;
    const step = await sandbox.update(attemptsSpace, attemptsKey, (counts) =>
      takeStep(current, index, counts),
    );
    if (step !== 'stale') return { plan: current.number, rule: rule.name, ...step };
    plan = await readPlan(sandbox);
  }
  return undefined;
}

export function logOf(sandbox: Sandbox): Log<Attempt> {
  return sandbox.log(attemptsSpace, attemptsKey);
}

const noBytes = Buffer.alloc(0);

export async function noteAttempt(sandbox: Sandbox, attempt: Attempt): Promise<void> {
  await logOf(sandbox).append(attempt, noBytes);
}

export async function readAttempts(sandbox: Sandbox): Promise<readonly NumberedAttempt[]> {
  const entries = await logOf(sandbox).newest(maxAttempts);
  const newest = Math.max(0, ...entries.map(({ item }) => item.plan));
  return entries
    .filter(({ item }) => item.plan === newest)
    .map(({ sequence, item }) => ({ id: sequence, attempt: item }));
}
