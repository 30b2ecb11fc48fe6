/** Runs of the test plan: each step records what a client did, and has a verdict. */

import { beginTestRun, changeTestStep, type TestRun } from '../../../kit/verdict/test-runs.js';
import { type Verdict, verdictOn } from '../../../kit/verdict/verdict.js';
import type { Sandbox, Space } from '../../../state/state.js';
import type { Misbehaviour } from '../model/grants.js';
import type { IssuerCase, RunEvent } from './case.js';
import { isMisbehaviour, type MisbehaviourName, misbehaviours } from './misbehaviours.js';

export const reportedOutcomes = ['refused', 'accepted'] as const;
export const outcomes = [...reportedOutcomes, 'not-reached'] as const;

export interface StepRecord {
  readonly seen?: 'met' | 'inferred' | 'accepted';
  /** The tester's report of what the client did. */
  readonly reported?: (typeof reportedOutcomes)[number];
  /** Ids of the requests that encountered and accepted it. */
  readonly evidence?: readonly string[];
}

export type Run = TestRun<StepRecord>;

/** At most 20 kilobytes each: three ids of 128 characters for each step. */
export const runs: Space<Run> = { name: 'oidc-test-runs', maxKeys: 100 };

export function beginRun(sandbox: Sandbox): Promise<string> {
  return beginTestRun(sandbox, runs, {});
}

/** Returns the changed run, or `undefined` for an unknown one. */
export async function changeStep(
  sandbox: Sandbox,
  run: string,
  name: MisbehaviourName,
  change: (step: StepRecord) => StepRecord,
): Promise<Run | undefined> {
  return changeTestStep(sandbox, runs, { run, name }, change);
}

/** Does nothing outside a run, and writes only if an outcome changes. */
export async function noteEvent(
  { sandbox, request }: { readonly sandbox: Sandbox; readonly request: { readonly id: string } },
  misbehaviour: Misbehaviour | undefined,
  event: RunEvent,
): Promise<void> {
  const { run: id, name = '' } = misbehaviour ?? {};
  if (id === undefined || !isMisbehaviour(name)) return;
  const rule = misbehaviours[name];
  const known = (await sandbox.read(runs, id))?.steps[name] ?? {};
  if (judgeEvent(rule, known, event, request.id) === known) return;
  await changeStep(sandbox, id, name, (step) => judgeEvent(rule, step, event, request.id));
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
  const observed = observedIn(step);
  const isCertain = step.seen === undefined || step.seen === 'accepted';
  return isCertain ? observed : (step.reported ?? observed);
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
