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

/** The texts of a challenge; hints are separated by bars. */
export function texts(
  title: string,
  goal: string,
  hints: string,
  explanation: string,
  section: string,
): Texts {
  const [first = '', second = '', third = ''] = hints.split('|').map((each) => each.trim());
  return { title, goal, hints: [first, second, third], explanation, section };
}
