/** Judges of clients, as the page of verdicts and its endpoints list them. An area offers each of its judges. */

import type { Awaitable } from '#base/awaitable.js';
import type { Sandbox } from '#state/state.js';
import { OfferToken } from '../offers/offers.js';
import { type JudgedRule, maxEvidence, type RuleOutcome, type Verdict } from './verdict.js';

export interface SeenVerdict extends Verdict {
  /** The newest observation, in words or as sent. Without credentials. */
  readonly seen?: string;
}

export interface Judged {
  /** Rules without a verdict are not reached. */
  readonly verdicts: readonly SeenVerdict[];
  /** Id of the judged run, if the judge has a test plan. */
  readonly run?: string;
}

export interface Judge {
  /** Kebab-case, unique in the service. */
  readonly name: string;
  readonly title: string;
  /** Says what it observes. */
  readonly says: string;
  /** Its page of the documentation. */
  readonly guide: string;
  /** Path of a list that has the evidence in more detail. */
  readonly log?: string;
  /** Rows of the plan, each a rule or a case. */
  readonly rules: readonly JudgedRule[];
  readonly plan?: {
    /** Path of the test plan, whose runs are below it. */
    readonly path: string;
    /** Paths at which a client meets a case of the run `{run}`, by titles; `{case}` is its name. */
    readonly urls: Readonly<Record<string, string>>;
  };
  readonly read: (sandbox: Sandbox) => Awaitable<Judged>;
  /** Forgets what it has observed. */
  readonly clear?: (sandbox: Sandbox) => Promise<void>;
}

export const judgeToken = new OfferToken<Awaitable<Judge>>('judge of clients');

/** Decides a case of a test plan where requests show too little. */
export const byReport = 'A PUT of the outcome by the test.';

/** From the weakest to the strongest. */
const weights: readonly RuleOutcome[] = [
  'not-reached',
  'kept',
  'unclear',
  'against-advice',
  'broken',
];

/** Returns one verdict for each rule: the strongest one, with the evidence of its equals. */
export function mergeVerdicts(verdicts: readonly SeenVerdict[]): readonly SeenVerdict[] {
  const merged = new Map<string, SeenVerdict>();
  for (const verdict of verdicts) {
    const known = merged.get(verdict.rule);
    const gain =
      known === undefined ? 1 : weights.indexOf(verdict.outcome) - weights.indexOf(known.outcome);
    if (gain < 0) continue;
    const earlier = gain === 0 && known !== undefined ? known.evidence : [];
    const evidence = [...new Set([...earlier, ...verdict.evidence])].slice(-maxEvidence);
    merged.set(verdict.rule, { ...verdict, evidence });
  }
  return [...merged.values()];
}
