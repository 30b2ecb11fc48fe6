/** Assembles the challenges of a track. */

import type { Challenge, Check, Step, Track } from './challenge.js';

type Texts = Pick<Challenge, 'title' | 'goal' | 'hints' | 'explanation' | 'section'>;
type Extra = Pick<Challenge, 'faults' | 'isClockFree'>;

export const inTrack =
  (track: Track) =>
  (
    id: string,
    level: Challenge['level'],
    texts: Texts,
    steps: readonly Step[],
    extra: Extra = {},
  ): Challenge => ({ id, track, level, ...texts, steps, ...extra });

/** A step with its words, the requests it judges, and its conditions. */
export function step(
  todo: string,
  on: string,
  checks: readonly Check[] = [],
  extra: Pick<Step, 'keep' | 'isDone' | 'isStrict'> = {},
): Step {
  return { todo, on, checks, ...extra };
}
