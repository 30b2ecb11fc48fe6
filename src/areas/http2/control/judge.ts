/** The judge of HTTP/2 clients, for the page of verdicts: the newest run, and visits of a sandbox. */

import type { Observation, Rule } from '#kit/verdict/findings.js';
import { judgeByFindings } from '#kit/verdict/findings-judge.js';
import { byReport, type Judge, mergeVerdicts, type SeenVerdict } from '#kit/verdict/judge.js';
import type { Case } from '../cases/case.js';
import { caseOf, cases } from '../cases/cases.js';
import type { Reading } from '../connection/play.js';
import { http2Runs, type Step, verdictOf } from './runs.js';
import { planPath } from './settings.js';

export const judgeName = 'http2';
export const findingsPath = '/api/http2/findings';

const ruleOf = (name: string, { what, rightClient, section, level }: Case): Rule => ({
  ...{ name, section, level: level === 'may' ? 'advice' : level },
  right: `${what} ${rightClient}`,
});

export const rules = Object.entries(cases).map(([name, each]) => ruleOf(name, each));

/** Returns what a reading says about the rule of its case. */
export function observationOf(name: string, reading: Reading): readonly Observation[] {
  const found = caseOf(name);
  if (found === undefined || reading.outcome === 'not-reached') return [];
  const rule = ruleOf(name, found);
  const { outcome, evidence, isCertain } = reading;
  if (outcome === 'handled' || outcome === 'either') return [{ rule }];
  const isOpen = outcome === 'unclear' || (rule.level === 'must' && isCertain !== true);
  return [{ rule, sent: evidence, ...(isOpen && { decidedBy: byReport }) }];
}

const findings = judgeByFindings({
  name: judgeName,
  title: 'HTTP/2',
  says: 'What the client does with raw frames, right and wrong ones: the newest run of the test plan, and requests for /s/{sandbox}/{case} of the lab.',
  guide: 'test-an-http2-client',
  log: findingsPath,
  rules,
});

export const http2Judge: Judge = {
  ...findings,
  plan: { path: planPath, urls: { 'Report with the URL of each case': `${planPath}/runs/{run}` } },
  async read(sandbox) {
    const { verdicts } = await findings.read(sandbox);
    const newest = (await sandbox.entries(http2Runs.space)).at(-1);
    if (newest === undefined) return { verdicts };
    const [run, { steps }] = newest;
    const ofRun = findings.rules.map((rule): SeenVerdict => {
      const step: Step = steps[rule.rule] ?? {};
      const outcome = verdictOf(rule.rule, step);
      return {
        ...{ id: `${judgeName}-${rule.rule}`, ...rule, outcome, evidence: [] },
        ...(step.reading && { seen: step.reading.evidence }),
        ...(outcome === 'unclear' && { decidedBy: byReport }),
      };
    });
    return { run, verdicts: mergeVerdicts([...verdicts, ...ofRun]) };
  },
};
