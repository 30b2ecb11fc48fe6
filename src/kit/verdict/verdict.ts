/** The one record in which judges of clients report: a rule, its outcome, and the evidence. */

import { Type } from 'typebox';

/** A rule that no request has exercised is never kept. */
export const ruleOutcomes = ['kept', 'broken', 'not-reached'] as const;

export type RuleOutcome = (typeof ruleOutcomes)[number];

/** A rule that a judge knows. */
export interface JudgedRule {
  readonly rule: string;
  /** Section of the standard. */
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
}

/** Behaviour that a rule is about. */
export interface JudgedPart {
  /** Null if it does not exercise the rule. */
  readonly isKept: boolean | null;
  readonly requests: readonly string[];
}

const maxEvidence = 20;

/** Makes the record of a rule: a single broken part breaks it. */
export function verdictOn(
  judge: string,
  { rule, section, hint }: JudgedRule,
  parts: readonly JudgedPart[],
): Verdict {
  const decides = [false, true].find((each) => parts.some(({ isKept }) => isKept === each)) ?? null;
  const shown = decides === null ? [] : parts.filter(({ isKept }) => isKept === decides);
  const evidence = new Set(shown.flatMap(({ requests }) => requests));
  return {
    id: `${judge}-${rule}`,
    rule,
    outcome: decides === null ? 'not-reached' : decides ? 'kept' : 'broken',
    section,
    evidence: [...evidence].slice(-maxEvidence),
    hint,
  };
}

export const verdictSchema = Type.Object(
  {
    id: Type.String(),
    rule: Type.String(),
    outcome: Type.Union(ruleOutcomes.map((outcome) => Type.Literal(outcome))),
    section: Type.String({ description: 'Section of the standard.' }),
    evidence: Type.Array(Type.String(), { description: 'Ids of the requests that show it.' }),
    hint: Type.String({ description: 'The right behaviour.' }),
  },
  { title: 'RuleVerdict' },
);
