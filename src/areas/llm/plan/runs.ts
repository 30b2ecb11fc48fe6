/** Runs of the test plan: which broken streams a client met, and what it did with them. */

import { HttpError } from '../../../http/http-error.js';
import {
  beginTestRun,
  changeTestStep,
  type TestCase,
  type TestRun,
} from '../../../kit/verdict/test-runs.js';
import type { Sandbox, Space } from '../../../state/state.js';
import type { Nature } from '../streams/broken-stream.js';

export const reportedOutcomes = ['handled', 'mishandled'] as const;
export const observedOutcomes = [...reportedOutcomes, 'either', 'unclear'] as const;
export const outcomes = [...observedOutcomes, 'not-reached'] as const;

export type Outcome = (typeof outcomes)[number];
type Reported = (typeof reportedOutcomes)[number];

/** An observation in a request. */
export interface Observed {
  readonly outcome: (typeof observedOutcomes)[number];
  /** Why, in words. */
  readonly evidence: string;
  /** No right client can cause it, so a report does not override it. */
  readonly isCertain?: true;
}

export interface Step {
  /** Id of the request whose response was broken. */
  readonly metBy?: string;
  readonly nature?: Nature;
  readonly observed?: Observed;
  readonly reported?: Reported;
}

interface Run extends TestRun<Step> {
  readonly cases: readonly string[];
}

/** About 25 kilobytes each. */
const runSpace: Space<Run> = { name: 'llm-runs', maxKeys: 20 };

function unknownRun(): HttpError {
  return new HttpError(404, 'Unknown run or case. Start a run with POST /llm/test-plan/runs.');
}

export function beginRun(sandbox: Sandbox, cases: readonly string[]): Promise<string> {
  return beginTestRun(sandbox, runSpace, { cases });
}

/** Throws 404 for an unknown run. */
export async function readRun(sandbox: Sandbox, id: string): Promise<Run> {
  const run = await sandbox.read(runSpace, id);
  if (run === undefined) throw unknownRun();
  return run;
}

/** Throws 404 for an unknown run, and for a case that it does not have. */
export async function checkCase(sandbox: Sandbox, { run, name }: TestCase): Promise<void> {
  const { cases } = await readRun(sandbox, run);
  if (!cases.includes(name)) throw unknownRun();
}

/** Changes the step of a case; does nothing in an unknown run. */
export async function changeStep(
  sandbox: Sandbox,
  at: TestCase,
  change: (step: Step) => Step,
): Promise<void> {
  await changeTestStep(sandbox, runSpace, at, change);
}

/** A report overrides what was inferred, but nothing that is certain. */
export function outcomeOf({ metBy, nature, observed, reported }: Step): Outcome {
  if (observed?.isCertain) return observed.outcome;
  if (reported !== undefined) return reported;
  if (observed !== undefined) return observed.outcome;
  return metBy !== undefined && nature === 'either' ? 'either' : 'not-reached';
}

const maxEvidence = 200;

/** A later observation replaces an earlier one, if it says more. */
const weights: readonly Observed['outcome'][] = ['unclear', 'either', 'handled', 'mishandled'];

const weightOf = ({ outcome, isCertain }: Observed) =>
  weights.indexOf(outcome) + (isCertain ? weights.length : 0);

export function observe(step: Step, observed: Observed): Step {
  if (step.observed !== undefined && weightOf(step.observed) >= weightOf(observed)) return step;
  return { ...step, observed: { ...observed, evidence: observed.evidence.slice(0, maxEvidence) } };
}
