/** The bugs that are switched on in a sandbox. A reset of a pupil keeps them, so that wrong reports remain. */

import type { Space } from '#state/state.js';
import type { HuntSummary } from '../offers/hunts-of.js';

export const huntLevels = ['junior', 'middle', 'senior'] as const;
/** Without defects, every report is about right behaviour. */
export type HuntLevel = (typeof huntLevels)[number] | 'none';

export interface Hunt {
  readonly id: string;
  readonly level: HuntLevel;
  /** `null` unless the caller sent it; the seed of a class is never stored here. */
  readonly seed: number | null;
  readonly bugs: readonly string[];
  readonly found: readonly string[];
  /** Hashes of the reports by the bug that they found. */
  readonly digests: Readonly<Record<string, string>>;
  readonly reports: number;
  readonly wrongReports: number;
  /** Bugs that changed what is stored, once a request has met them. */
  readonly met: readonly string[];
  /** Whether the teacher of a class started it, who also ends it. */
  readonly isOfClass: boolean;
}

/** The hunts of a sandbox that have ended. */
export interface EndedHunts {
  /** The oldest first. */
  readonly hunts: readonly HuntSummary[];
  readonly wrongReports: number;
  /** Bugs of the last one. */
  readonly lastBugs: readonly string[];
}

export interface Hunts {
  readonly current?: Hunt;
  readonly ended?: EndedHunts;
}

export const huntsSpace: Space<Hunts> = { name: 'bug-hunts', maxKeys: 1 };
/** Older versions stored hunts without these parts, under another key. */
export const huntsKey = 'hunts';
