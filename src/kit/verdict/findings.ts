/** Findings and rule outcomes of a judge, kept in the sandbox. */

import { redact, type Shown } from '../../base/text/redact.js';
import type { LogSpace, Sandbox, Space } from '../../state/state.js';
import type { RuleOutcome, Verdict } from './verdict.js';

/** A rule that a client broke. */
export interface Finding {
  readonly verdict: Omit<Verdict, 'id'>;
  /** Part of the request, without credentials. */
  readonly sent: Shown;
  readonly atMs: number;
}

type Outcomes = Readonly<Record<string, 'kept' | 'broken'>>;

const maxFindings = 500;
const maxSentLength = 300;

const findings: LogSpace<true, Finding> = {
  name: 'findings',
  maxKeys: 10,
  maxEntries: maxFindings,
  isAlwaysThere: true,
};

/** Outcomes of rules by the name of the judge. */
const outcomesSpace: Space<Outcomes> = { name: 'rule-outcomes', maxKeys: 10 };

export interface Rule {
  readonly name: string;
  readonly section: string;
  /** The right behaviour, in words. */
  readonly right: string;
}

/** An observation of one rule in one request. */
export interface Observation {
  readonly rule: Rule;
  /** Absent if the rule was kept. */
  readonly sent?: string;
}

/** Records observations in one step; writes nothing if they change nothing. */
export async function recordObservations(
  sandbox: Sandbox,
  judge: string,
  requestId: string,
  observations: readonly Observation[],
): Promise<void> {
  const known = (await sandbox.read(outcomesSpace, judge)) ?? {};
  const isNews = observations.some(
    ({ rule, sent }) => sent !== undefined || known[rule.name] === undefined,
  );
  if (!isNews) return;
  await sandbox.transact((view) => {
    const outcomes: Record<string, 'kept' | 'broken'> = { ...view.read(outcomesSpace, judge) };
    for (const { rule, sent } of observations) {
      if (sent === undefined) {
        outcomes[rule.name] ??= 'kept';
        continue;
      }
      outcomes[rule.name] = 'broken';
      const { name, section, right: hint } = rule;
      const evidence = [requestId];
      const verdict = { rule: name, outcome: 'broken', section, evidence, hint } as const;
      const shown = redact(sent).slice(0, maxSentLength) as Shown;
      const finding = { verdict, sent: shown, atMs: view.nowMs };
      view.append(findings, judge, finding, '');
    }
    view.write(outcomesSpace, judge, outcomes);
  });
}

export interface ReadFinding extends Finding {
  readonly id: string;
}

/** Returns findings, the oldest first. */
export async function readFindings(
  sandbox: Sandbox,
  judge: string,
): Promise<readonly ReadFinding[]> {
  const entries = await sandbox.log(findings, judge).newest(maxFindings);
  return [...entries].reverse().map(({ sequence, item }) => ({ id: `${sequence}`, ...item }));
}

/** Returns the outcome of each rule, in the order of `rules`. */
export async function readOutcomes(
  sandbox: Sandbox,
  judge: string,
  rules: readonly Pick<Rule, 'name'>[],
): Promise<readonly { readonly rule: string; readonly outcome: RuleOutcome }[]> {
  const known = (await sandbox.read(outcomesSpace, judge)) ?? {};
  return rules.map(({ name }) => ({ rule: name, outcome: known[name] ?? 'not-reached' }));
}

/** Deletes the findings and outcomes of a judge. */
export async function forgetFindings(sandbox: Sandbox, judge: string): Promise<void> {
  await sandbox.transact((view) => {
    view.write(findings, judge, undefined);
    view.write(outcomesSpace, judge, undefined);
  });
}
