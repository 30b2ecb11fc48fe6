/** Assembles the challenges of a track. */

import type { Cases, Challenge, Check, Step, Track } from './challenge.js';

type Texts = Pick<Challenge, 'title' | 'goal' | 'hints' | 'explanation' | 'section'>;
type Extra = Pick<Challenge, 'faults' | 'isClockFree' | 'notes'>;

/** Makes the function that adds a challenge with its cases. */
export const inTrack =
  (track: Track, cases: Readonly<Record<string, Cases>>) =>
  (
    id: string,
    level: Challenge['level'],
    texts: Texts,
    steps: readonly Step[],
    extra: Extra = {},
  ): Challenge => {
    const own = cases[id];
    if (own === undefined) throw new Error(`The challenge ${id} has no cases.`);
    return { id, track, level, ...texts, steps, ...extra, ...own };
  };

/** A step: the requests it judges, and its conditions. */
export function step(
  on: string,
  checks: readonly Check[] = [],
  extra: Pick<Step, 'keep' | 'isDone' | 'limits'> = {},
): Step {
  return { on, checks, ...extra };
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
