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
  readonly seen?: 'met' | 'accepted';
  /** The tester's report of what the client did. */
  readonly reported?: (typeof reportedOutcomes)[number];
  /** Ids of the requests that encountered and accepted it. */
  readonly evidence?: readonly string[];
}

export type Run = TestRun<StepRecord>;

/** At most 12 kilobytes each: two ids of 128 characters for each step. */
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
  { metBy, acceptedBy }: Pick<IssuerCase, 'metBy' | 'acceptedBy'>,
  step: StepRecord,
  event: RunEvent,
  requestId: string,
): StepRecord {
  const evidence = [...(step.evidence ?? []), requestId];
  if (step.seen === undefined && event === metBy) return { ...step, seen: 'met', evidence };
  if (step.seen === 'met' && acceptedBy.includes(event)) {
    return { ...step, seen: 'accepted', evidence };
  }
  return step;
}

/** A client rejects by stopping. Observed behaviour overrides reports. */
export function outcomeOf({ seen, reported }: StepRecord): (typeof outcomes)[number] {
  if (seen === undefined) return 'not-reached';
  return seen === 'accepted' ? 'accepted' : (reported ?? 'refused');
}

/** Returns the outcome in the form of every judge. Accepting is no mistake where a check is optional. */
export function stepVerdict(name: MisbehaviourName, step: StepRecord): Verdict {
  const { expected, rightClient, optionalBecause, section } = misbehaviours[name];
  const outcome = outcomeOf(step);
  const isOptional = expected === 'either' || optionalBecause !== undefined;
  const isKept = outcome === 'not-reached' ? null : outcome === expected || isOptional;
  const hint = optionalBecause === undefined ? rightClient : `${rightClient} ${optionalBecause}`;
  const part = { isKept, requests: step.evidence ?? [] };
  return verdictOn('oidc', { rule: name, level: 'must', section, hint }, [part]);
}
