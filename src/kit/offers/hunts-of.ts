/** The hunts for bugs of a sandbox, and those that a class starts in the sandboxes of its pupils. */

import type { Awaitable } from '#base/awaitable.js';
import type { Sandbox } from '#state/state.js';
import { OfferToken } from './offers.js';

export interface HuntSummary {
  readonly id: string;
  readonly level: string;
  /** Bugs that are or were switched on. */
  readonly count: number;
  readonly found: number;
  /** Points of the found bugs without the wrong reports; never negative. */
  readonly points: number;
  /** ISO 8601 in UTC; absent while the hunt is on. */
  readonly endedAt?: string;
}

/** Tells the hunts of a sandbox, the oldest first, and the wrong reports of all of them. */
export type HuntsOf = (sandbox: Sandbox) => Promise<{
  readonly wrongReports: number;
  readonly hunts: readonly HuntSummary[];
}>;

export const huntsOfToken = new OfferToken<Awaitable<HuntsOf>>('hunts of a sandbox');

/** A hunt that a teacher starts. Its secret, which no response shows, and its seed choose the bugs. */
export interface ClassHunt {
  readonly id: string;
  readonly level: string;
  readonly count: number;
  /** `null` unless the teacher sent it. */
  readonly seed: number | null;
  readonly secret: string;
}

/** A bug, as the end of a hunt names it. */
export interface NamedBug {
  readonly id: string;
  readonly level: string;
  readonly kind: string;
  readonly area: string;
  readonly wrong: string;
  readonly right: string;
  readonly endpoints: readonly string[];
}

export interface ClassHunts {
  readonly levels: readonly string[];
  readonly maxBugs: number;
  readonly maxSeed: number;
  /** Switches on the bugs of a hunt in the sandbox of a pupil, and ends the hunt there. */
  readonly begin: (sandbox: Sandbox, hunt: ClassHunt) => Promise<void>;
  /** Ends the hunt of the class in the sandbox of a pupil. */
  readonly end: (sandbox: Sandbox) => Promise<void>;
  readonly bugsOf: (hunt: ClassHunt) => readonly NamedBug[];
}

export const classHuntsToken = new OfferToken<Awaitable<ClassHunts>>('hunts of a class');
