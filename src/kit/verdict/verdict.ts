/** The one record in which judges of clients report: a rule, its outcome, and the evidence. */

import { Type } from 'typebox';

/**
 * Only a `must` can be broken; a `should` or an advice that is not followed is `against-advice`. What
 * a right client could have done as well is `unclear`. A rule that no request has exercised is never
 * kept.
 */
export const ruleOutcomes = ['kept', 'broken', 'against-advice', 'unclear', 'not-reached'] as const;

export type RuleOutcome = (typeof ruleOutcomes)[number];

/** `advice` is what no standard requires. */
export const ruleLevels = ['must', 'should', 'advice'] as const;

export type RuleLevel = (typeof ruleLevels)[number];

/** A rule that a judge knows. */
export interface JudgedRule {
  readonly rule: string;
  readonly level: RuleLevel;
  /** Section of the standard; `advice` without one. */
  readonly section: string;
  /** The right behaviour, in words. */
  readonly hint: string;
}

export interface Verdict extends JudgedRule {
  /** The judge and the rule. */
  readonly id: string;
  readonly outcome: RuleOutcome;
  /** Ids of the requests that show it; the newest if there are many. */
  readonly evidence: readonly string[];
  /** Observation that would decide an `unclear` outcome. */
  readonly decidedBy?: string;
}

/** Behaviour that a rule is about. */
export interface JudgedPart {
  /** Null if it does not exercise the rule, or does not decide about it. */
  readonly isKept: boolean | null;
  readonly requests: readonly string[];
  /** Observation that would decide; makes the part `unclear`. */
  readonly decidedBy?: string;
}

export const maxEvidence = 20;

/** Returns the outcome of a rule that a client did not follow. */
export function outcomeAgainst(level: RuleLevel): 'broken' | 'against-advice' {
  return level === 'must' ? 'broken' : 'against-advice';
}

/** Makes the record of a rule: a single broken part breaks it, and an unclear one leaves it open. */
export function verdictOn(
  judge: string,
  { rule, level, section, hint }: JudgedRule,
  parts: readonly JudgedPart[],
): Verdict {
  const against = parts.filter(({ isKept }) => isKept === false);
  const open = parts.filter(({ isKept, decidedBy }) => isKept === null && decidedBy !== undefined);
  const kept = parts.filter(({ isKept }) => isKept === true);
  const groups = [
    [outcomeAgainst(level), against],
    ['unclear', open],
    ['kept', kept],
  ] as const;
  const [outcome, shown] = groups.find(([, each]) => each.length > 0) ?? ['not-reached', []];
  const { decidedBy } = (outcome === 'unclear' && shown.at(-1)) || {};
  const evidence = new Set(shown.flatMap(({ requests }) => requests));
  return {
    id: `${judge}-${rule}`,
    rule,
    level,
    outcome,
    section,
    evidence: [...evidence].slice(-maxEvidence),
    hint,
    ...(decidedBy !== undefined && { decidedBy }),
  };
}

export const outcomeSchema = Type.Union(ruleOutcomes.map((outcome) => Type.Literal(outcome)));

export const levelSchema = Type.Union(
  ruleLevels.map((level) => Type.Literal(level)),
  { description: 'Only a must can be broken; anything else is against-advice.' },
);

export const verdictSchema = Type.Object(
  {
    id: Type.String(),
    rule: Type.String(),
    level: levelSchema,
    outcome: outcomeSchema,
    section: Type.String({ description: 'Section of the standard; advice without one.' }),
    evidence: Type.Array(Type.String(), { description: 'Ids of the requests that show it.' }),
    hint: Type.String({ description: 'The right behaviour.' }),
    decidedBy: Type.Optional(
      Type.String({ description: 'Observation that would decide an unclear outcome.' }),
    ),
  },
  { title: 'RuleVerdict' },
);
