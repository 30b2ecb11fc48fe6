/** Rules about clients. */

import type { Rule } from '#kit/verdict/findings.js';
import type { Observed } from './observed.js';

/** Behaviour that a right client may show as well. */
export interface Unclear {
  readonly sent: string;
  /** The observation that would decide. */
  readonly decidedBy: string;
}

/**
 * `true` if the request keeps the rule, a text with the fault if it breaks it, and `undefined` if
 * the rule is not about this request.
 */
export type Checked = true | string | Unclear | undefined;

export interface ClientRule extends Rule {
  readonly what: string;
  readonly check: (observed: Observed) => Checked;
}

/** Returns the fault, or `true` without one. What is expensive to write is written for faults only. */
export function faultUnless(isRight: boolean, sent: string | (() => string)): Checked {
  if (isRight) return true;
  return typeof sent === 'string' ? sent : sent();
}

/** Checks each item; the first fault counts, else the first that is unclear. */
export function checkEach<Item>(items: readonly Item[], check: (item: Item) => Checked): Checked {
  const checked = items.map(check).filter((each) => each !== undefined);
  if (checked.length === 0) return undefined;
  const fault = checked.find((each) => typeof each === 'string');
  return fault ?? checked.find((each) => each !== true) ?? true;
}
