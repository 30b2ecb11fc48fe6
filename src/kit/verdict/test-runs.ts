/** Runs of a test plan: the steps of a client by the names of the cases. A run is stored for a day. */

import type { Awaitable } from '../../base/awaitable.js';
import { randomText } from '../../http/credentials/secret-text.js';
import type { Sandbox, Space } from '../../state/state.js';

export interface TestRun<Step> {
  readonly steps: Readonly<Partial<Record<string, Step>>>;
  readonly endsAtMs: number;
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
  sandbox: Sandbox,
  space: Space<Run>,
  more: Omit<Run, keyof TestRun<unknown>>,
): Promise<string> {
  const id = randomText('run').slice(0, 26);
  await sandbox.update(space, id, (_none, nowMs) => {
    const run = { ...more, ...newRun(nowMs) } as Run;
    return { value: run, expiresAtMs: run.endsAtMs, result: undefined };
  });
  return id;
}

/**
 * Changes a step, which is empty at first, and returns the run; `undefined` for an unknown run,
 * unless `begin` makes it.
 */
export function changeTestStep<Step extends object, Run extends TestRun<Step>>(
  sandbox: Sandbox,
  space: Space<Run>,
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
