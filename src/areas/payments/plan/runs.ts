/** Runs of the test plan: the cases that a client met, and its reactions. */

import { HttpError } from '#http/http-error.js';
import type { MetOutcome, MetStep } from '#kit/verdict/plan-judge.js';
import {
  changeTestStep,
  correctedOutcome,
  type TestRun,
  type TestRuns,
} from '#kit/verdict/test-runs.js';
import type { Sandbox } from '#state/state.js';
import type { Value } from '../engine/objects.js';
import { type CaseName, caseNames } from './cases.js';

export type Observed = NonNullable<MetStep['observed']>;

/** The first request of a case, with which others are compared. */
export interface First {
  readonly of: string;
  readonly key: string | null;
  /** When its response was sent, by the real clock; absent before. */
  readonly respondedAtMs?: number;
}

export interface Step extends MetStep {
  readonly first?: First;
  /** Fingerprint of the card that was declined. */
  readonly card?: string;
}

export const paymentRuns: TestRuns<TestRun<Step>> = {
  space: { name: 'payments-runs', maxKeys: 20 },
  unknown: () =>
    new HttpError(404, 'Unknown run or case. Start a run with POST /payments/test-plan/runs.'),
};

export const outcomeOf = (step: Step): MetOutcome =>
  correctedOutcome(
    step,
    step.observed?.outcome ?? (step.metBy === undefined ? 'not-reached' : 'unclear'),
    false,
  );

/** A later observation replaces an earlier one only if it is worse. */
export function observe(step: Step, observed: Observed | undefined): Step {
  const isNews = step.observed === undefined || step.observed.outcome === 'handled';
  return observed !== undefined && isNews ? { ...step, observed } : step;
}

/** A case of a run, which metadata of an object select. */
export interface RunCase {
  readonly run: string;
  readonly name: CaseName;
}

/** The key of the metadata: `test_run: {run}/{case}`. */
export const metadataName = 'test_run';

/** Returns the case that metadata select; `undefined` for others. */
export async function caseIn(sandbox: Sandbox, metadata: Value): Promise<RunCase | undefined> {
  const text: unknown = metadata?.[metadataName];
  const [run = '', name = ''] = typeof text === 'string' ? text.split('/') : [];
  const known = caseNames.find((each) => each === name);
  if (known === undefined) return undefined;
  const stored = await sandbox.read(paymentRuns.space, run);
  if (stored === undefined || stored.cases?.includes(name) === false) return undefined;
  return { run, name: known };
}

/** Changes the step of a case, and returns it. */
export async function changeStep(
  sandbox: Sandbox,
  at: RunCase,
  change: (step: Step) => Step,
): Promise<Step | undefined> {
  const run = await changeTestStep(paymentRuns, sandbox, at, change);
  return run?.steps[at.name];
}
