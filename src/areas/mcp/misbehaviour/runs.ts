/** Runs of the test plan: which misbehaviours a client met, and whether it accepted them. */

import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { isHeldBack, noteWhenSent } from '#kit/verdict/handover.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import {
  changeTestStep,
  correctedOutcome,
  newRun,
  type ReportedStep,
  type TestCase,
  type TestRun,
  type TestRuns,
} from '#kit/verdict/test-runs.js';
import type { Sandbox } from '#state/state.js';

export const reportedOutcomes = ['refused', 'accepted'] as const;
export const outcomes = [...reportedOutcomes, 'unclear', 'not-reached'] as const;

type Outcome = (typeof outcomes)[number];

export interface Step extends ReportedStep<(typeof reportedOutcomes)[number]> {
  readonly metAtMs?: number;
  /** Id of the first request that met it. */
  readonly metBy?: string;
  /** Id of the request that shows that the client accepted. */
  readonly acceptedBy?: string;
  /** The newest wrong response. */
  readonly lastAtMs?: number;
  /** Identifies the session that is gone. */
  readonly session?: string;
  /** Wrong responses so far. */
  readonly count?: number;
  /** Identifies the token of the first request. */
  readonly reader?: string;
  /** The response with Retry-After; until then, a client should wait. */
  readonly respondedAtMs?: number;
  readonly notBeforeMs?: number;
}

export interface Run extends TestRun<Step> {
  /** The run of the issuer, for misbehaviours of the login. */
  readonly issuerRun?: string;
}

/** Under eight kilobytes each. */
export const mcpRuns: TestRuns<Run> = {
  space: { name: 'mcp-test-runs', maxKeys: 50 },
  unknown: () =>
    new HttpError(404, 'Unknown run or misbehaviour. Start a run with POST /mcp/test-plan/runs.'),
};

/** The run of misbehaviours that no run selects: the query, or the settings. */
export const looseRun = 'loose';

/** Changes a step, and returns it; `undefined` for an unknown run. */
export async function changeStep(
  sandbox: Sandbox,
  at: TestCase,
  change: (step: Step, nowMs: number) => Step,
): Promise<Step | undefined> {
  const begin = at.run === looseRun ? newRun : undefined;
  const run = await changeTestStep<Step, Run>(mcpRuns, sandbox, at, change, begin);
  return run?.steps[at.name];
}

/** Later than any request. */
const notSentMs = 2 ** 50;

/**
 * Changes the step of a misbehaviour that a client meets. A response that a fault holds
 * back counts from when it is sent; until then, no request reacts to it.
 */
export async function meetStep(
  request: Request,
  at: TestCase,
  noteMeeting: (step: Step, nowMs: number) => Step,
): Promise<Step | undefined> {
  const { sandbox, id } = request;
  const change = (step: Step, nowMs: number) => ({
    ...noteMeeting(step, nowMs),
    metBy: step.metBy ?? id,
  });
  if (!isHeldBack(request)) return changeStep(sandbox, at, change);
  const met = await changeStep(sandbox, at, (step) => change(step, notSentMs));
  await noteWhenSent(request, async (isSent) => {
    await ignoringOutages(async () => {
      await changeStep(sandbox, at, (step, nowMs) => withTimes(step, isSent ? nowMs : undefined));
    });
  });
  return met;
}

const times = ['metAtMs', 'lastAtMs', 'respondedAtMs', 'notBeforeMs'] as const;

/** Replaces the times of responses that were held back; without a time, these were never sent. */
function withTimes(step: Step, sentAtMs: number | undefined): Step {
  const moved = times.flatMap((name) => {
    const { [name]: time = 0 } = step;
    return time < notSentMs ? [] : [[name, sentAtMs && time - notSentMs + sentAtMs]];
  });
  return { ...step, ...Object.fromEntries(moved) };
}

/** How far the requests that show an acceptance decide. */
export interface Evidence {
  /** Whether no right client sends such a request; a report of the test corrects anything else. */
  readonly isCertain?: true;
  /** Whether nothing that was seen decides. */
  readonly isUnclear?: (step: Step) => boolean;
}

/** Returns what the server has seen. A client rejects by stopping. */
export function observedIn(step: Step, { isUnclear }: Evidence): Outcome {
  if (step.acceptedBy !== undefined) return 'accepted';
  if (step.metAtMs === undefined) return 'not-reached';
  return isUnclear?.(step) ? 'unclear' : 'refused';
}

export function outcomeOf(step: Step, evidence: Evidence): Outcome {
  const observed = observedIn(step, evidence);
  const isCertain = observed === 'accepted' && evidence.isCertain === true;
  return correctedOutcome<Outcome>(step, observed, isCertain || observed === 'not-reached');
}
