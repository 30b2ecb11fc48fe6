/** The services that classes use, and the challenges and hunts, if there are any. */

import type { ClassHunts, HuntsOf } from '#kit/offers/hunts-of.js';
import type { Challenges } from '#kit/recording/challenges.js';
import type { Limits, Runtime, Sandboxes } from '#kit/services.js';

export interface ClassServices
  extends Pick<Runtime, 'clock' | 'config' | 'listeners'>,
    Pick<Limits, 'held' | 'wrongCodes'>,
    Pick<Sandboxes, 'owned' | 'sandboxHolding'> {
  readonly challenges: Challenges | undefined;
  readonly huntsOf: HuntsOf | undefined;
  readonly hunts: ClassHunts | undefined;
}
