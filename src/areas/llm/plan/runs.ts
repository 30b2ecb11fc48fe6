/** Runs of the test plan: which broken streams a client met, and what it did with them. */

import { randomText } from '../../../http/credentials/secret-text.js';
import { HttpError } from '../../../http/http-error.js';
import type { Sandbox, Space } from '../../../state/state.js';
import type { RunCase } from '../exchange/mount.js';
import type { Nature } from '../streams/cases.js';

export const reportedOutcomes = ['handled', 'mishandled'] as const;
export const outcomes = [...reportedOutcomes, 'not-reached', 'either'] as const;

export type Outcome = (typeof outcomes)[number];
type Reported = (typeof reportedOutcomes)[number];

export interface Step {
  /** Id of the request whose response was broken. */
  readonly metBy?: string;
  readonly nature?: Nature;
  readonly observed?: Reported;
  /** Why, in words. */
  readonly evidence?: string;
  readonly reported?: Reported;
}

interface Run {
  readonly cases: readonly string[];
  readonly steps: Readonly<Record<string, Step>>;
  readonly endsAtMs: number;
}

/** About 25 kilobytes each. */
export const runSpace: Space<Run> = { name: 'llm-runs', maxKeys: 20 };

export function unknownRun(): HttpError {
  return new HttpError(404, 'Unknown run or case. Start a run with POST /llm/test-plan/runs.');
}

const lifeMs = 24 * 3600 * 1000;

export async function beginRun(sandbox: Sandbox, cases: readonly string[]): Promise<string> {
  const id = randomText('run').slice(0, 26);
  await sandbox.update(runSpace, id, (_none, nowMs) => {
    const endsAtMs = nowMs + lifeMs;
    return { value: { cases, steps: {}, endsAtMs }, expiresAtMs: endsAtMs, result: undefined };
  });
  return id;
}

/** Throws 404 for an unknown run. */
export async function readRun(sandbox: Sandbox, id: string): Promise<Run> {
  const run = await sandbox.read(runSpace, id);
  if (run === undefined) throw unknownRun();
  return run;
}

/** Throws 404 for an unknown run, and for a case that it does not have. */
export async function checkCase(sandbox: Sandbox, { run, name }: RunCase): Promise<void> {
  const { cases } = await readRun(sandbox, run);
  if (!cases.includes(name)) throw unknownRun();
}

/** Changes the step of a case; does nothing in an unknown run. */
export async function changeStep(
  sandbox: Sandbox,
  { run: id, name }: RunCase,
  change: (step: Step) => Step,
): Promise<void> {
  await sandbox.update(runSpace, id, (run) => {
    if (run === undefined) return { value: undefined, result: undefined };
    const before = Object.hasOwn(run.steps, name) ? run.steps[name] : undefined;
    const steps = { ...run.steps, [name]: change(before ?? {}) };
    return { value: { ...run, steps }, expiresAtMs: run.endsAtMs, result: undefined };
  });
}

/** Observed behaviour overrides a report. */
export function outcomeOf({ metBy, nature, observed, reported }: Step): Outcome {
  if (observed !== undefined) return observed;
  if (reported !== undefined) return reported;
  return metBy !== undefined && nature === 'either' ? 'either' : 'not-reached';
}

const maxEvidence = 200;

/** A case stays mishandled once it is. */
export function observe(step: Step, observed: Reported, evidence: string): Step {
  if (step.observed === 'mishandled') return step;
  return { ...step, observed, evidence: evidence.slice(0, maxEvidence) };
}
