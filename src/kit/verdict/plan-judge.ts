/** Judges of test plans, for the page of verdicts: each has the newest run. */

import { byReport, type Judge, type SeenVerdict } from './judge.js';
import type { ReportedStep, TestRun, TestRuns } from './test-runs.js';
import { type JudgedRule, verdictOn } from './verdict.js';

interface PlanJudge<Step> extends Omit<Judge, 'read' | 'clear'> {
  readonly runs: TestRuns<TestRun<Step>>;
  readonly verdictOf: (rule: JudgedRule, step: Step | undefined) => SeenVerdict;
}

/** Makes the judge of a plan whose rules are its cases. */
export function judgeByRuns<Step>({ runs, verdictOf, ...judge }: PlanJudge<Step>): Judge {
  return {
    ...judge,
    async read(sandbox) {
      const newest = (await sandbox.entries(runs.space)).at(-1);
      if (newest === undefined) return { verdicts: [] };
      const [run, { steps, cases }] = newest;
      const judged = judge.rules.filter(({ rule }) => cases?.includes(rule) ?? true);
      return { run, verdicts: judged.map((rule) => verdictOf(rule, steps[rule.rule])) };
    },
  };
}

export const metReports = ['handled', 'mishandled'] as const;
export const metOutcomes = [...metReports, 'unclear', 'not-reached'] as const;

type Reported = (typeof metReports)[number];
export type MetOutcome = (typeof metOutcomes)[number];

/** A step that a client met, and what it was seen to do. */
export interface MetStep extends ReportedStep<Reported> {
  /** Id of the request that met the case. */
  readonly metBy?: string;
  readonly observed?: { readonly outcome: Reported; readonly evidence: string };
}

/** Returns the verdict on a step; a step that is unclear is decided by the report of a test. */
export function verdictOfMet(
  judge: string,
  rule: JudgedRule,
  { metBy, observed }: MetStep,
  outcome: MetOutcome,
): SeenVerdict {
  const isKept = { handled: true, mishandled: false, unclear: null, 'not-reached': null }[outcome];
  const open = outcome === 'unclear' ? { decidedBy: byReport } : {};
  const requests = metBy === undefined ? [] : [metBy];
  const verdict = verdictOn(judge, rule, [{ isKept, requests, ...open }]);
  return observed === undefined ? verdict : { ...verdict, seen: observed.evidence };
}
