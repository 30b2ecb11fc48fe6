/** Runs of the test plan: the cases that a client met, and its reactions. */

import { HttpError } from '#http/http-error.js';
import type { MetOutcome, MetStep } from '#kit/verdict/plan-judge.js';
import {
  changeTestStep,
  correctedOutcome,
  type TestCase,
  type TestRun,
  type TestRuns,
} from '#kit/verdict/test-runs.js';
import type { Sandbox } from '#state/state.js';

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

/** The key of the metadata: `test_run: {run}/{case}`. */
export const metadataName = 'test_run';

/** Changes the step of a case, and returns it. */
export async function changeStep(
  sandbox: Sandbox,
  at: TestCase,
  change: (step: Step) => Step,
): Promise<Step | undefined> {
  const run = await changeTestStep(paymentRuns, sandbox, at, change);
  return run?.steps[at.name];
}
