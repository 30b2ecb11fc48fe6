/** What a run makes of what a client does: whether it met a misbehaviour, and whether it let it by. */

import type { Misbehaviour, RunEvent } from './misbehaviours.js';

export const outcomes = ['refused', 'accepted', 'not-reached'] as const;
export type Outcome = (typeof outcomes)[number];
export const toldOutcomes = ['refused', 'accepted'] as const;

export interface StepRecord {
  readonly seen?: 'met' | 'taken';
  /** What somebody says that the client did. */
  readonly told?: (typeof toldOutcomes)[number];
}

/** The same record where the event changes nothing. */
export function judgeEvent(
  { metBy, takenBy }: Pick<Misbehaviour, 'metBy' | 'takenBy'>,
  step: StepRecord,
  event: RunEvent,
): StepRecord {
  if (step.seen === undefined && event === metBy) return { ...step, seen: 'met' };
  if (step.seen === 'met' && takenBy.includes(event)) return { ...step, seen: 'taken' };
  return step;
}

/** A client rejects by stopping; what it was observed to do outweighs what is reported of it. */
export function outcomeOf({ seen, told }: StepRecord): Outcome {
  if (seen === undefined) return 'not-reached';
  return seen === 'taken' ? 'accepted' : (told ?? 'refused');
}
