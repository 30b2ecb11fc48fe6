/** Runs of the test plan: which cases a client met, and what it did. */

import { HttpError } from '#http/http-error.js';
import type { MetOutcome, MetStep } from '#kit/verdict/plan-judge.js';
import {
  changeTestStep,
  correctedOutcome,
  type TestRun,
  type TestRuns,
} from '#kit/verdict/test-runs.js';
import type { Call } from '../model/call.js';

export interface Step extends MetStep {
  /** Values that the next call is compared with: see `plays.ts`. */
  readonly note?: {
    readonly text?: string;
    readonly atMs?: number;
    readonly timeoutMs?: number;
    /** Before the response to the first call. */
    readonly waitMs?: number;
  };
}

export const grpcRuns: TestRuns<TestRun<Step>> = {
  space: { name: 'grpc-runs', maxKeys: 20 },
  unknown: () =>
    new HttpError(404, 'Unknown run or case. Start a run with POST /grpc/test-plan/runs.'),
};

export const outcomeOf = (step: Step): MetOutcome =>
  correctedOutcome(
    step,
    step.observed?.outcome ?? (step.metBy === undefined ? 'not-reached' : 'unclear'),
    step.observed !== undefined,
  );

/** A case of a run, which metadata selects. */
export interface RunCase {
  readonly run: string;
  readonly name: string;
}

/** Changes the step of a case, and returns it. */
export async function changeStep(
  { request: { sandbox } }: Call,
  at: RunCase,
  change: (step: Step, nowMs: number) => Step,
): Promise<Step | undefined> {
  const run = await changeTestStep(grpcRuns, sandbox, at, change);
  return run?.steps[at.name];
}
