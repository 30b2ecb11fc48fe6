/** Runs of the test plan: which broken streams a client met, and what it did with them. */

import { HttpError } from '#http/http-error.js';
import {
  correctedOutcome,
  type ReportedStep,
  type TestRun,
  type TestRuns,
} from '#kit/verdict/test-runs.js';
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

export interface Step extends ReportedStep<Reported> {
  /** Id of the request whose response was broken. */
  readonly metBy?: string;
  readonly nature?: Nature;
  readonly observed?: Observed;
}

/** About 25 kilobytes each. */
export const llmRuns: TestRuns<TestRun<Step>> = {
  space: { name: 'llm-runs', maxKeys: 20 },
  unknown: () =>
    new HttpError(404, 'Unknown run or case. Start a run with POST /llm/test-plan/runs.'),
};

/** Reads what the client did from its requests, or from the report of the test. */
export function outcomeOf(step: Step): Outcome {
  const { metBy, nature, observed } = step;
  const unobserved = metBy !== undefined && nature === 'either' ? 'either' : 'not-reached';
  return correctedOutcome<Outcome>(
    step,
    observed?.outcome ?? unobserved,
    observed?.isCertain === true,
  );
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
