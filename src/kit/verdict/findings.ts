/** Findings and rule outcomes of a judge, kept in the sandbox. */

import { redact, type Shown } from '#base/text/redact.js';
import type { LogSpace, Sandbox, Space } from '#state/state.js';
import { outcomeAgainst, type RuleLevel, type RuleOutcome, type Verdict } from './verdict.js';

/** A rule that a client did not follow, or may not have followed. */
export interface Finding {
  readonly verdict: Omit<Verdict, 'id'>;
  /** Part of the request, without credentials. */
  readonly sent: Shown;
  readonly atMs: number;
}

type ReachedOutcome = Exclude<RuleOutcome, 'not-reached'>;
type Outcomes = Readonly<Record<string, ReachedOutcome>>;

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

/** Ids of the requests that kept a rule first, by the name of the judge and of the rule. */
const keptSpace: Space<Readonly<Record<string, string>>> = { name: 'kept-rules', maxKeys: 10 };

export interface Rule {
  readonly name: string;
  readonly level: RuleLevel;
  /** Section of the standard; `advice` without one. */
  readonly section: string;
  /** The right behaviour, in words. */
  readonly right: string;
}

/** An observation of one rule in one request. */
export interface Observation {
  readonly rule: Rule;
  /** Absent if the rule was kept. */
  readonly sent?: string;
  /** Observation that would decide; makes the outcome `unclear`. */
  readonly decidedBy?: string;
}

/** A later outcome replaces an earlier, weaker outcome. */
const weights: readonly (ReachedOutcome | undefined)[] = [
  undefined,
  'kept',
  'unclear',
  'against-advice',
  'broken',
];

function outcomeIn({ rule, sent, decidedBy }: Observation): ReachedOutcome {
  if (sent === undefined) return 'kept';
  return decidedBy === undefined ? outcomeAgainst(rule.level) : 'unclear';
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
    const outcomes: Record<string, ReachedOutcome> = { ...view.read(outcomesSpace, judge) };
    const kept: Record<string, string> = { ...view.read(keptSpace, judge) };
    for (const observation of observations) {
      const { name } = observation.rule;
      const outcome = outcomeIn(observation);
      if (outcome === 'kept') kept[name] ??= requestId;
      if (weights.indexOf(outcome) > weights.indexOf(outcomes[name])) outcomes[name] = outcome;
      if (observation.sent === undefined) continue;
      view.append(findings, judge, findingOf(observation, outcome, requestId, view.nowMs), '');
    }
    view.write(outcomesSpace, judge, outcomes);
    view.write(keptSpace, judge, kept);
  });
}

function findingOf(
  { rule, sent = '', decidedBy }: Observation,
  outcome: ReachedOutcome,
  requestId: string,
  atMs: number,
): Finding {
  const { name, level, section, right: hint } = rule;
  const verdict = { rule: name, level, outcome, section, evidence: [requestId], hint };
  return {
    verdict: decidedBy === undefined ? verdict : { ...verdict, decidedBy },
    sent: redact(sent).slice(0, maxSentLength) as Shown,
    atMs,
  };
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
  rules: readonly Pick<Rule, 'name' | 'level'>[],
): Promise<readonly Pick<Verdict, 'rule' | 'level' | 'outcome'>[]> {
  const known = (await sandbox.read(outcomesSpace, judge)) ?? {};
  return rules.map(({ name, level }) => ({
    rule: name,
    level,
    outcome: known[name] ?? 'not-reached',
  }));
}

/** Returns the ids of the requests that kept a rule first, by its name. */
export async function readKept(
  sandbox: Sandbox,
  judge: string,
): Promise<Readonly<Record<string, string>>> {
  return (await sandbox.read(keptSpace, judge)) ?? {};
}

/** Deletes the findings and outcomes of a judge. */
export async function forgetFindings(sandbox: Sandbox, judge: string): Promise<void> {
  await sandbox.transact((view) => {
    view.write(findings, judge, undefined);
    view.write(outcomesSpace, judge, undefined);
    view.write(keptSpace, judge, undefined);
  });
}
