/** Who is logged in with a cookie, and until when. */

import type { Space } from '../../state/state.js';

const minute = 60 * 1000;

/** By the sandbox's clock. */
export const lifetimes = {
  /** Between the password and the code. */
  step: 5 * minute,
  idle: 30 * minute,
  absolute: 12 * 60 * minute,
  remembered: 30 * 24 * 60 * minute,
} as const;

/** By the hash of what the cookie holds. */
export interface Session {
  readonly username: string;
  readonly startedAtMs: number;
  /** How the user logged in (RFC 8176): `pwd`, then `otp` or `rec`. */
  readonly amr: readonly string[];
  readonly isRemembered: boolean;
  /** How often the user had logged out everywhere before. */
  readonly generation: number;
  /** The password was right, and a code is still to come. */
  readonly isHalf?: true;
}

export const sessions: Space<Session> = { name: 'login-sessions', maxKeys: 1000 };

/** By user: how often all sessions were ended. */
export const generations: Space<number> = { name: 'login-generations', maxKeys: 100 };

/** The moment that ends a session whatever is done with it. */
export function latestEnd({ startedAtMs, isRemembered, isHalf }: Session): number {
  if (isHalf) return startedAtMs + lifetimes.step;
  return startedAtMs + (isRemembered ? lifetimes.remembered : lifetimes.absolute);
}

/** The moment that ends it unless it is used before. A remembered one may rest. */
export function endAfterUse(session: Session, nowMs: number): number {
  const latest = latestEnd(session);
  return session.isRemembered || session.isHalf ? latest : Math.min(latest, nowMs + lifetimes.idle);
}
