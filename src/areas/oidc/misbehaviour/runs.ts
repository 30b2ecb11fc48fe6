/** Runs of the test plan: each step records what a client did, and has a verdict. */

import { HttpError } from '#http/http-error.js';
import {
  changeTestStep,
  correctedOutcome,
  type ReportedStep,
  type TestRun,
  type TestRuns,
} from '#kit/verdict/test-runs.js';
import { type Verdict, verdictOn } from '#kit/verdict/verdict.js';
import type { Sandbox } from '#state/state.js';
import type { Misbehaviour } from '../model/grants.js';
import type { IssuerCase, RunEvent } from './case.js';
import {
  isMisbehaviour,
  type MisbehaviourName,
  misbehaviourNames,
  misbehaviours,
} from './misbehaviours.js';

export const reportedOutcomes = ['refused', 'accepted'] as const;
export const outcomes = [...reportedOutcomes, 'not-reached'] as const;

/** The report is of the tester. */
export interface StepRecord extends ReportedStep<(typeof reportedOutcomes)[number]> {
  readonly seen?: 'met' | 'inferred' | 'accepted';
  /** Ids of the requests that encountered and accepted it. */
  readonly evidence?: readonly string[];
}

const unknown = {
  run: 'Unknown run in this sandbox; each expires after a day. Start one with POST /oidc/test-plan/runs.',
  case: `Unknown misbehaviour. Use ${misbehaviourNames.join(', ')}.`,
};

interface Run extends TestRun<StepRecord> {
  /** Whether it is a part of the run of another test plan. */
  readonly isOfOther?: true;
}

/** At most 20 kilobytes each: three ids of 128 characters for each step. */
export const runs: TestRuns<Run> = {
  space: { name: 'oidc-test-runs', maxKeys: 100 },
  unknown: (what) => new HttpError(404, unknown[what]),
};

/** Does nothing outside a run, and writes only if an outcome changes. */
export async function noteEvent(
  { sandbox, request }: { readonly sandbox: Sandbox; readonly request: { readonly id: string } },
  misbehaviour: Misbehaviour | undefined,
  event: RunEvent,
): Promise<void> {
  const { run: id, name = '' } = misbehaviour ?? {};
  if (id === undefined || !isMisbehaviour(name)) return;
  const rule = misbehaviours[name];
  const known = (await sandbox.read(runs.space, id))?.steps[name] ?? {};
  if (judgeEvent(rule, known, event, request.id) === known) return;
  const at = { run: id, name };
  await changeTestStep(runs, sandbox, at, (step) => judgeEvent(rule, step, event, request.id));
}

/** Returns the same record if the event changes nothing. */
export function judgeEvent(
  rule: Pick<IssuerCase, 'metBy' | 'acceptedBy' | 'inferredBy'>,
  step: StepRecord,
  event: RunEvent,
  requestId: string,
): StepRecord {
  const { metBy, acceptedBy, inferredBy = ['asked'] } = rule;
  const evidence = [...(step.evidence ?? []), requestId];
  if (step.seen === undefined) {
    return event === metBy ? { ...step, seen: 'met', evidence } : step;
  }
  if (step.seen === 'accepted' || !acceptedBy.includes(event)) return step;
  if (!inferredBy.includes(event)) return { ...step, seen: 'accepted', evidence };
  return step.seen === 'met' ? { ...step, seen: 'inferred', evidence } : step;
}

type Outcome = (typeof outcomes)[number];

/** Returns what the issuer has seen. A client rejects by stopping. */
export function observedIn({ seen }: StepRecord): Outcome {
  if (seen === undefined) return 'not-reached';
  return seen === 'met' ? 'refused' : 'accepted';
}

/** A report overrides what was only inferred. */
export function outcomeOf(step: StepRecord): Outcome {
  const isCertain = step.seen === undefined || step.seen === 'accepted';
  return correctedOutcome<Outcome>(step, observedIn(step), isCertain);
}

const decidedBy = 'a PUT of the outcome by the test, or use of the API';

/** Returns the outcome in the form of every judge. Accepting is no mistake where a check is optional. */
export function stepVerdict(name: MisbehaviourName, step: StepRecord): Verdict {
  const { expected, level, rightClient, optionalBecause, section } = misbehaviours[name];
  const outcome = outcomeOf(step);
  const isRight = outcome === expected || expected === 'either' || optionalBecause !== undefined;
  // A right client may read userinfo before it has validated the ID token, or need no more than a login.
  const isOpen = !isRight && step.seen !== 'accepted' && step.reported === undefined;
  const isKept = outcome === 'not-reached' || isOpen ? null : isRight;
  const hint = optionalBecause === undefined ? rightClient : `${rightClient} ${optionalBecause}`;
  const isUnclear = isOpen && outcome !== 'not-reached';
  const part = { isKept, requests: step.evidence ?? [], ...(isUnclear && { decidedBy }) };
  return verdictOn('oidc', { rule: name, level, section, hint }, [part]);
}
