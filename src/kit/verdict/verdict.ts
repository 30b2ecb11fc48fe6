/** The one record in which judges of clients report: a rule, its outcome, and the evidence. */

import { Type } from 'typebox';

/** A rule that no request has exercised is never kept. */
export const ruleOutcomes = ['kept', 'broken', 'not-reached'] as const;

export type RuleOutcome = (typeof ruleOutcomes)[number];

export interface Verdict {
  readonly id: string;
  readonly rule: string;
  readonly outcome: RuleOutcome;
  /** Section of the standard. */
  readonly section: string;
  /** Ids of the requests that show it. */
  readonly evidence: readonly string[];
  /** The right behaviour, in words. */
  readonly hint: string;
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
  { title: 'Verdict' },
);
