/** Sessions in the state: who is logged in with a cookie, and until when. */

import { Type } from 'typebox';
import { type PracticeUser, practiceUsers } from '#http/credentials/practice-users.js';
import type { Sandbox, Space, Transaction } from '#state/state.js';

const minute = 60 * 1000;

export const lifetimes = {
  /** Between the password and the code. */
  step: 5 * minute,
  idle: 30 * minute,
  absolute: 12 * 60 * minute,
  remembered: 30 * 24 * 60 * minute,
} as const;

/** Keyed by the hash of the cookie's value. */
export interface Session {
  readonly username: string;
  readonly startedAtMs: number;
  /** How the user logged in (RFC 8176): `pwd`, then `otp` or `rec`. */
  readonly amr: readonly string[];
  readonly isRemembered: boolean;
  /** How often the user had logged out everywhere before. */
  readonly generation: number;
  /** The password was correct, and the code is pending. */
  readonly isHalf?: boolean;
}

const sessions: Space<Session> = { name: 'login-sessions', maxKeys: 1000 };

/** Keyed by user: how often all sessions were ended. */
const generations: Space<number> = { name: 'login-generations', maxKeys: 100 };

export function findUser(username: string): PracticeUser | undefined {
  return practiceUsers.find((each) => each.username === username);
}

/** The time when a session ends, whether it is used or not. */
export function latestEnd({ startedAtMs, isRemembered, isHalf }: Session): number {
  if (isHalf) return startedAtMs + lifetimes.step;
  return startedAtMs + (isRemembered ? lifetimes.remembered : lifetimes.absolute);
}

/** The time when a session ends unless it is used before. A remembered session need not be used. */
export function endAfterUse(session: Session, nowMs: number): number {
  const latest = latestEnd(session);
  return session.isRemembered || session.isHalf ? latest : Math.min(latest, nowMs + lifetimes.idle);
}

export type Begun = Pick<Session, 'username' | 'amr' | 'isRemembered' | 'isHalf'>;

export function beginSession(sandbox: Sandbox, key: string, begun: Begun, formerKey?: string) {
  return sandbox.transact((view) => {
    const generation = view.read(generations, begun.username) ?? 0;
    const session: Session = { ...begun, startedAtMs: view.nowMs, generation };
    if (formerKey !== undefined) view.write(sessions, formerKey, undefined);
    view.write(sessions, key, session, { expiresAtMs: endAfterUse(session, view.nowMs) });
    return session;
  });
}

/** Returns the session, after prolonging it. */
export function useSession(sandbox: Sandbox, key: string) {
  return sandbox.transact((view) => {
    const session = readSession(view, key);
    if (session === undefined) return undefined;
    view.write(sessions, key, session, { expiresAtMs: endAfterUse(session, view.nowMs) });
    return session;
  });
}

/** Ignores sessions from before a logout everywhere, and sessions from the future after the clock was set back. */
function readSession(view: Transaction, key: string): Session | undefined {
  const session = view.read(sessions, key);
  if (session === undefined || session.startedAtMs > view.nowMs) return undefined;
  const generation = view.read(generations, session.username) ?? 0;
  return session.generation === generation ? session : undefined;
}

export function endSession(sandbox: Sandbox, key: string) {
  return sandbox.transact((view) => {
    if (view.read(sessions, key) !== undefined) view.write(sessions, key, undefined);
  });
}

/** Ends all sessions of this session's user, by increasing one number. Returns whether there was a session. */
export function endEverywhere(sandbox: Sandbox, key: string) {
  return sandbox.transact((view) => {
    const session = readSession(view, key);
    if (session === undefined || session.isHalf) return false;
    view.write(generations, session.username, session.generation + 1);
    view.write(sessions, key, undefined);
    return true;
  });
}

const text = Type.String();
const time = Type.String({ description: 'ISO 8601 in UTC.' });

export const sessionSchema = Type.Object(
  {
    authenticated: Type.Literal(true),
    username: text,
    roles: Type.Array(text),
    amr: Type.Array(text, { description: 'How the user logged in (RFC 8176): pwd, otp, rec.' }),
    remembered: Type.Boolean(),
    startedAt: time,
    endsUnlessUsedAt: time,
    endsAt: time,
  },
  { title: 'Session' },
);

export const halfSchema = Type.Object(
  {
    authenticated: Type.Literal(false),
    nextStep: Type.Literal('totp'),
    username: text,
    totpSecret: Type.String({ description: 'In base32, for any authenticator app.' }),
    endsAt: time,
  },
  { title: 'HalfSession' },
);

/** Describes a session, or the missing step of its login. */
export function describeSession(session: Session, nowMs: number) {
  const { username, amr, isRemembered, isHalf } = session;
  const { roles = [], totpSecret }: Partial<PracticeUser> = findUser(username) ?? {};
  const endsAt = isoTime(latestEnd(session));
  if (isHalf) {
    return { authenticated: false, nextStep: 'totp', username, totpSecret, endsAt } as const;
  }
  return {
    authenticated: true,
    username,
    roles,
    amr,
    remembered: isRemembered,
    startedAt: isoTime(session.startedAtMs),
    endsUnlessUsedAt: isoTime(endAfterUse(session, nowMs)),
    endsAt,
  } as const;
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
