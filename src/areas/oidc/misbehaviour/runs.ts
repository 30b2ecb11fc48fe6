/** Runs of the test plan: each step records what a client did, and has a verdict. */

import { randomText } from '../../../http/credentials/secret-text.js';
import type { Sandbox, Space } from '../../../state/state.js';
import type { Misbehaviour } from './choose-misbehaviour.js';
import {
  type MisbehaviourName,
  type MisbehaviourRule,
  type RunEvent,
  ruleOf,
} from './misbehaviours.js';

export const reportedOutcomes = ['refused', 'accepted'] as const;
export const outcomes = [...reportedOutcomes, 'not-reached'] as const;

export interface StepRecord {
  readonly seen?: 'met' | 'accepted';
  /** The tester's report of what the client did. */
  readonly reported?: (typeof reportedOutcomes)[number];
}

export interface Run {
  readonly steps: Readonly<Partial<Record<MisbehaviourName, StepRecord>>>;
  readonly endsAtMs: number;
}

/** Under two kilobytes each. */
export const runs: Space<Run> = { name: 'oidc-test-runs', maxKeys: 100 };

const lifeMs = 24 * 3600 * 1000;

export async function beginRun(sandbox: Sandbox): Promise<string> {
  const id = randomText('run').slice(0, 26);
  await sandbox.update(runs, id, (_none, nowMs) => {
    const endsAtMs = nowMs + lifeMs;
    return { value: { steps: {}, endsAtMs }, expiresAtMs: endsAtMs, result: undefined };
  });
  return id;
}

/** Returns the changed run, or `undefined` for an unknown one. */
export async function changeStep(
  sandbox: Sandbox,
  id: string,
  name: MisbehaviourName,
  change: (step: StepRecord) => StepRecord,
): Promise<Run | undefined> {
  return sandbox.update(runs, id, (run: Run | undefined) => {
    if (run === undefined) return { value: undefined, result: undefined };
    const value = { ...run, steps: { ...run.steps, [name]: change(run.steps[name] ?? {}) } };
    return { value, expiresAtMs: run.endsAtMs, result: value };
  });
}

/** Does nothing outside a run, and writes only if an outcome changes. */
export async function noteEvent(
  sandbox: Sandbox,
  misbehaviour: Misbehaviour | undefined,
  event: RunEvent,
): Promise<void> {
  if (misbehaviour?.run === undefined) return;
  const { run: id, name } = misbehaviour;
  const rule = ruleOf(name);
  const known = (await sandbox.read(runs, id))?.steps[name] ?? {};
  if (judgeEvent(rule, known, event) === known) return;
  await changeStep(sandbox, id, name, (step) => judgeEvent(rule, step, event));
}

/** Returns the same record if the event changes nothing. */
export function judgeEvent(
  { metBy, acceptedBy }: MisbehaviourRule,
  step: StepRecord,
  event: RunEvent,
): StepRecord {
  if (step.seen === undefined && event === metBy) return { ...step, seen: 'met' };
  if (step.seen === 'met' && acceptedBy.includes(event)) return { ...step, seen: 'accepted' };
  return step;
}

/** A client rejects by stopping. Observed behaviour overrides reports. */
export function outcomeOf({ seen, reported }: StepRecord): (typeof outcomes)[number] {
  if (seen === undefined) return 'not-reached';
  return seen === 'accepted' ? 'accepted' : (reported ?? 'refused');
}
