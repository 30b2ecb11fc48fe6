/** The hunts for bugs of a sandbox, and those that a class starts in the sandboxes of its pupils. */

import type { Sandbox } from '../../state/state.js';
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

export const huntsOfToken = new OfferToken<HuntsOf>('hunts of a sandbox');
