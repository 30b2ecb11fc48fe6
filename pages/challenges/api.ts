/** Requests of the page, in the sandbox of this browser. */

import { addressOf } from '../shared/address-of.js';
import { call, callJson } from '../shared/call.js';

export interface Challenge {
  readonly id: string;
  readonly track: string;
  readonly level: number;
  readonly title: string;
  readonly goal: string;
  readonly points: number;
  readonly hints: readonly string[];
  readonly section: string;
  readonly solved: boolean;
}

export interface ChallengeView extends Challenge {
  readonly started: boolean;
  readonly missing: readonly string[];
  readonly hintsLeft: number;
  readonly hintCost: number;
  readonly explanation: string | null;
}

export interface Progress {
  readonly solved: readonly string[];
  readonly points: number;
  readonly hintCost: number;
  readonly current: string | null;
}

const at = (rest = '') => addressOf(`/api/challenges${rest}`);

export const listChallenges = () => callJson<readonly Challenge[]>(at());
export const readProgress = () => callJson<Progress>(at('/progress'));
export const readChallenge = (id: string) => callJson<ChallengeView>(at(`/${id}`));
export const startChallenge = (id: string) => callJson<ChallengeView>(at(`/${id}/start`), 'POST');
export const takeHint = (id: string) => callJson<unknown>(at(`/${id}/hint`), 'POST');
export const resetProgress = () => call(at('/progress'), { method: 'DELETE' });
