/** Runs of the test plan: what a client did in each case. */

import { HttpError } from '#http/http-error.js';
import {
  changeTestStep,
  correctedOutcome,
  type ReportedStep,
  type TestCase,
  type TestRun,
  type TestRuns,
} from '#kit/verdict/test-runs.js';
import { outcomeAgainst, type RuleOutcome } from '#kit/verdict/verdict.js';
import type { Sandbox } from '#state/state.js';
import { caseOf } from '../cases/cases.js';
import type { Reading } from '../connection/play.js';
import { planPath } from './settings.js';

export const reportedOutcomes = ['handled', 'mishandled'] as const;
export const outcomes = [...reportedOutcomes, 'either', 'unclear', 'not-reached'] as const;
type Outcome = (typeof outcomes)[number];

export interface Step extends ReportedStep<(typeof reportedOutcomes)[number]> {
  /** Connections that met the case. */
  readonly visits?: number;
  readonly reading?: Reading;
  /** When the newest visit ended. */
  readonly endedAtMs?: number;
}

/** About 30 kilobytes each. */
export const http2Runs: TestRuns<TestRun<Step>> = {
  space: { name: 'http2-runs', maxKeys: 20, isFindable: true },
  unknown: () => new HttpError(404, `Unknown run or case. Start a run with POST ${planPath}/runs.`),
};

export const changeStep = (
  sandbox: Sandbox,
  at: TestCase,
  change: (step: Step, nowMs: number) => Step,
) => changeTestStep<Step, TestRun<Step>>(http2Runs, sandbox, at, change);

/** A request soon after the end of the previous visit is a repetition. */
const repetitionMs = 2000;

/** Counts a visit, and returns whether the run has the case. */
export async function beginVisit(sandbox: Sandbox, at: TestCase): Promise<boolean> {
  const known = await sandbox.read(http2Runs.space, at.run);
  if (known === undefined || !(known.cases?.includes(at.name) ?? true)) return false;
  const run = await changeStep(sandbox, at, (step, nowMs) => {
    const { visits = 0, endedAtMs = Number.NEGATIVE_INFINITY } = step;
    const next = { ...step, visits: visits + 1 };
    const again = visits > 0 && readAgain(at.name, nowMs - endedAtMs <= repetitionMs);
    return again ? keepStronger(next, again) : next;
  });
  return run !== undefined;
}

/** Returns what a further connection of a client shows. */
function readAgain(name: string, isSoon: boolean): Reading | undefined {
  const expected = caseOf(name)?.expected;
  if (expected === 'no-new-stream') {
    return { outcome: 'handled', evidence: 'It used another connection.', isCertain: true };
  }
  const isWrong = isSoon && (expected === 'not-repeated' || expected === 'report');
  return isWrong ? { outcome: 'mishandled', evidence: 'It repeated the request.' } : undefined;
}

const weights: readonly Outcome[] = ['not-reached', 'unclear', 'either', 'handled', 'mishandled'];
const weightOf = ({ outcome, isCertain }: Reading) =>
  weights.indexOf(outcome) + (isCertain ? weights.length : 0);

function keepStronger(step: Step, reading: Reading): Step {
  const isWeaker = step.reading !== undefined && weightOf(step.reading) >= weightOf(reading);
  return isWeaker ? step : { ...step, reading };
}

/** The worst outcome of all visits stays. */
export const observe = (step: Step, reading: Reading, nowMs: number): Step => ({
  ...keepStronger(step, reading),
  endedAtMs: nowMs,
});

export function outcomeOf(step: Step): Outcome {
  const { outcome = 'not-reached', isCertain = false } = step.reading ?? {};
  return correctedOutcome<Outcome>(step, outcome, isCertain);
}

/** Returns the outcome in the words of rules. */
export function verdictOf(name: string, step: Step): RuleOutcome {
  const { level = 'may' } = caseOf(name) ?? {};
  const outcome = outcomeOf(step);
  if (outcome === 'handled' || outcome === 'either') return 'kept';
  if (outcome !== 'mishandled') return outcome;
  const isCertain = step.reading?.isCertain === true || step.reported === 'mishandled';
  if (level === 'must' && !isCertain) return 'unclear';
  return outcomeAgainst(level === 'may' ? 'advice' : level);
}
