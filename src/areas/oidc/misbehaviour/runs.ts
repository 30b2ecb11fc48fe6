/** Runs of the test plan: what each step of one has seen of a client, in the state of the sandbox. */

import type { Sandbox, Space } from '../../../state/state.js';
import { randomText } from '../random-text.js';
import type { Conduct } from './conduct.js';
import { judgeEvent, type StepRecord } from './judge-step.js';
import { type MisbehaviourName, misbehaviourOf, type RunEvent } from './misbehaviours.js';

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

/** `undefined` when there is no such run. */
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

/** Costs nothing outside a run, and writes only what changes an outcome. */
export async function noteEvent(
  sandbox: Sandbox,
  conduct: Conduct | undefined,
  event: RunEvent,
): Promise<void> {
  if (conduct?.run === undefined) return;
  const { run: id, misbehaviour } = conduct;
  const rule = misbehaviourOf(misbehaviour);
  const known = (await sandbox.read(runs, id))?.steps[misbehaviour] ?? {};
  if (judgeEvent(rule, known, event) === known) return;
  await changeStep(sandbox, id, misbehaviour, (step) => judgeEvent(rule, step, event));
}
