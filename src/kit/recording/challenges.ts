/** Challenges and their progress, for other areas. */

import type { Awaitable } from '#base/awaitable.js';
import type { Sandbox } from '#state/state.js';
import { OfferToken } from '../offers/offers.js';

export interface ListedChallenge {
  readonly id: string;
  readonly track: string;
  readonly level: number;
  readonly title: string;
  readonly goal: string;
  readonly points: number;
}

export interface ChallengeProgress {
  /** When each challenge was solved, by its id. */
  readonly solved: Readonly<Record<string, number>>;
  /** Cost of the hints of each challenge, solved or not, by its id. */
  readonly hintCosts: Readonly<Record<string, number>>;
  /** The started challenge, unless it is solved, and what is missing. */
  readonly current: { readonly id: string; readonly missing: readonly string[] } | undefined;
}

export interface Challenges {
  readonly list: readonly ListedChallenge[];
  readonly progressOf: (sandbox: Sandbox) => Promise<ChallengeProgress>;
}

export const challengesToken = new OfferToken<Awaitable<Challenges>>('challenges');
