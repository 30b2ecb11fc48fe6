/** Judges what a client does in a run: whether it met a misbehaviour, and whether it accepted it. */

import type { MisbehaviourRule, RunEvent } from './misbehaviours.js';

export const outcomes = ['refused', 'accepted', 'not-reached'] as const;
export type Outcome = (typeof outcomes)[number];
export const reportedOutcomes = ['refused', 'accepted'] as const;

export interface StepRecord {
  readonly seen?: 'met' | 'accepted';
  /** What the tester says that the client did. */
  readonly reported?: (typeof reportedOutcomes)[number];
}

/** Returns the same record where the event changes nothing. */
export function judgeEvent(
  { metBy, acceptedBy }: Pick<MisbehaviourRule, 'metBy' | 'acceptedBy'>,
  step: StepRecord,
  event: RunEvent,
): StepRecord {
  if (step.seen === undefined && event === metBy) return { ...step, seen: 'met' };
  if (step.seen === 'met' && acceptedBy.includes(event)) return { ...step, seen: 'accepted' };
  return step;
}

/** A client rejects by stopping. What it was observed to do outweighs what is reported. */
export function outcomeOf({ seen, reported }: StepRecord): Outcome {
  if (seen === undefined) return 'not-reached';
  return seen === 'accepted' ? 'accepted' : (reported ?? 'refused');
}
