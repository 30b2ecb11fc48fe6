/** Runs of the test plan: which misbehaviours a client met, and whether it accepted them. */

import { HttpError } from '../../../http/http-error.js';
import {
  beginTestRun,
  changeTestStep,
  newRun,
  type TestCase,
  type TestRun,
} from '../../../kit/verdict/test-runs.js';
import type { Sandbox, Space } from '../../../state/state.js';

export const reportedOutcomes = ['refused', 'accepted'] as const;
export const outcomes = [...reportedOutcomes, 'not-reached'] as const;

export interface Step {
  readonly metAtMs?: number;
  /** Id of the request that shows that the client accepted. */
  readonly acceptedBy?: string;
  readonly reported?: (typeof reportedOutcomes)[number];
  /** Identifies the session that is gone. */
  readonly session?: string;
  /** Wrong responses so far. */
  readonly count?: number;
  /** Identifies the token of the first request. */
  readonly reader?: string;
  /** Until then, a client should wait. */
  readonly notBeforeMs?: number;
}

export interface Run extends TestRun<Step> {
  /** The run of the issuer, for misbehaviours of the login. */
  readonly issuerRun?: string;
}

/** Under six kilobytes each. */
export const runSpace: Space<Run> = { name: 'mcp-test-runs', maxKeys: 50 };

export function unknownRun(): HttpError {
  return new HttpError(
    404,
    'Unknown run or misbehaviour. Start a run with POST /mcp/test-plan/runs.',
  );
}

/** The run of misbehaviours that no run selects: the query, or the settings. */
export const looseRun = 'loose';

export function beginRun(sandbox: Sandbox, issuerRun: string | undefined): Promise<string> {
  return beginTestRun(sandbox, runSpace, issuerRun === undefined ? {} : { issuerRun });
}

/** Changes a step, and returns it; `undefined` for an unknown run. */
export async function changeStep(
  sandbox: Sandbox,
  at: TestCase,
  change: (step: Step, nowMs: number) => Step,
): Promise<Step | undefined> {
  const begin = at.run === looseRun ? newRun : undefined;
  const run = await changeTestStep<Step, Run>(sandbox, runSpace, at, change, begin);
  return run?.steps[at.name];
}

/** A client rejects by stopping. Observed behaviour overrides reports. */
export function outcomeOf({ metAtMs, acceptedBy, reported }: Step): (typeof outcomes)[number] {
  if (acceptedBy !== undefined) return 'accepted';
  if (metAtMs === undefined) return 'not-reached';
  return reported ?? 'refused';
}
