/** How often somebody may guess a password, or a code, before having to wait. */

import type { Change, Space } from '../../state/state.js';

export const maxWrong = 5;
export const waitSeconds = 60;

/** Wrong ones are forgotten after this time without another. */
const memoryMs = 15 * 60 * 1000;

export interface Attempts {
  readonly wrong: number;
  readonly waitsUntilMs?: number;
}

/** By the hash of what is guessed, and of whose it is. */
export const attempts: Space<Attempts> = { name: 'login-attempts', maxKeys: 5000 };

export type Verdict =
  | { readonly kind: 'right' | 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number };

/** While there is a wait, the right one counts no more than others: a guess tells nothing then. */
export function countAttempt(
  current: Attempts | undefined,
  isRight: boolean,
  nowMs: number,
): Change<Attempts, Verdict> {
  const waitMs = (current?.waitsUntilMs ?? nowMs) - nowMs;
  // A clock that was set back does not make the wait longer.
  const isWaiting = waitMs > 0 && waitMs <= waitSeconds * 1000;
  if (current !== undefined && isWaiting) {
    return {
      value: current,
      expiresAtMs: nowMs + waitMs,
      result: { kind: 'wait', seconds: Math.ceil(waitMs / 1000) },
    };
  }
  if (isRight) return { value: undefined, result: { kind: 'right' } };
  const wrong = (current?.waitsUntilMs === undefined ? (current?.wrong ?? 0) : 0) + 1;
  const isLast = wrong >= maxWrong;
  const waitsUntilMs = nowMs + waitSeconds * 1000;
  return {
    value: { wrong, ...(isLast && { waitsUntilMs }) },
    expiresAtMs: isLast ? waitsUntilMs : nowMs + memoryMs,
    result: { kind: 'wrong' },
  };
}
