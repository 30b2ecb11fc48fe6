/**
 * Runs of a test plan: what a client did with each case, in one vocabulary. A run is stored for a day.
 */

import type { Awaitable } from '#base/awaitable.js';
import { randomText } from '#http/credentials/secret-text.js';
import type { HttpError } from '#http/http-error.js';
import type { Sandbox, Space } from '#state/state.js';
import type { RuleOutcome } from './verdict.js';

/** The words of all plans. Each plan uses two of the first four, and others that it needs. */
export type StepOutcome =
  | 'refused'
  | 'accepted'
  | 'handled'
  | 'mishandled'
  | 'either'
  | RuleOutcome;

/** A step with the report of the test. */
export interface ReportedStep<Outcome extends StepOutcome = StepOutcome> {
  readonly reported?: Outcome;
}

/** A report of the test corrects what the service inferred, and nothing that is certain. */
export function correctedOutcome<Outcome extends StepOutcome>(
  { reported }: ReportedStep<Outcome>,
  observed: Outcome,
  isCertain: boolean,
): Outcome {
  return isCertain ? observed : (reported ?? observed);
}

export interface TestRun<Step> {
  readonly steps: Readonly<Partial<Record<string, Step>>>;
  readonly endsAtMs: number;
  /** Names of its cases; absent if it has all of the plan. */
  readonly cases?: readonly string[];
}

/** The runs of a plan. */
export interface TestRuns<Run> {
  readonly space: Space<Run>;
  /** Returns a 404. */
  readonly unknown: (what: 'run' | 'case') => HttpError;
}

/** The place of a step. */
export interface TestCase {
  readonly run: string;
  readonly name: string;
}

const lifeMs = 24 * 3600 * 1000;

/** Returns a run without steps. */
export const newRun = (nowMs: number) => ({ steps: {}, endsAtMs: nowMs + lifeMs });

/** Returns the id of the new run. */
export async function beginTestRun<Run extends TestRun<unknown>>(
  { space }: Pick<TestRuns<Run>, 'space'>,
  sandbox: Sandbox,
  more: object = {},
): Promise<string> {
  const id = randomText('run').slice(0, 26);
  await sandbox.update(space, id, (_none, nowMs) => {
    const run = { ...more, ...newRun(nowMs) } as Run;
    return { value: run, expiresAtMs: run.endsAtMs, result: undefined };
  });
  return id;
}

/** Throws 404 for an unknown run, and for a case that neither the run nor the plan has. */
export async function readTestRun<Run extends TestRun<unknown>>(
  { space, unknown }: TestRuns<Run>,
  sandbox: Sandbox,
  id: string,
  of?: { readonly name: string; readonly cases?: readonly string[] },
): Promise<Run> {
  const run = await sandbox.read(space, id);
  const cases = run?.cases ?? of?.cases ?? [];
  if (of !== undefined && !cases.includes(of.name)) throw unknown('case');
  if (run === undefined) throw unknown('run');
  return run;
}

/**
 * Changes a step, which is empty at first, and returns the run; `undefined` for an unknown run,
 * unless `begin` makes it.
 */
export function changeTestStep<Step extends object, Run extends TestRun<Step>>(
  { space }: Pick<TestRuns<Run>, 'space'>,
  sandbox: Sandbox,
  { run: id, name }: TestCase,
  change: (step: Step, nowMs: number) => Step,
  begin?: (nowMs: number) => Run,
): Awaitable<Run | undefined> {
  return sandbox.update(space, id, (stored: Run | undefined, nowMs) => {
    const run = stored ?? begin?.(nowMs);
    if (run === undefined) return { value: undefined, result: undefined };
    const before = Object.hasOwn(run.steps, name) ? run.steps[name] : undefined;
    const steps = { ...run.steps, [name]: change(before ?? ({} as Step), nowMs) };
    const value = { ...run, steps };
    return { value, expiresAtMs: run.endsAtMs, result: value };
  });
}
