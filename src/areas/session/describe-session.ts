/** A session as programs and people see it. */

import type { PracticeUser } from '../../http/credentials/practice-users.js';
import { findUser } from './log-in.js';
import { endAfterUse, latestEnd, type Session } from './session.js';

export function describeSession(session: Session, nowMs: number) {
  const { username, amr, isRemembered, startedAtMs } = session;
  const { roles = [] }: Partial<PracticeUser> = findUser(username) ?? {};
  return {
    authenticated: true as const,
    username,
    roles: [...roles],
    amr: [...amr],
    remembered: isRemembered,
    startedAt: isoTime(startedAtMs),
    endsUnlessUsedAt: isoTime(endAfterUse(session, nowMs)),
    endsAt: isoTime(latestEnd(session)),
  };
}

/** What is still missing of a login. */
export function describeHalf(session: Session) {
  const { totpSecret = '' }: Partial<PracticeUser> = findUser(session.username) ?? {};
  return {
    authenticated: false as const,
    nextStep: 'totp' as const,
    username: session.username,
    totpSecret,
    endsAt: isoTime(latestEnd(session)),
  };
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
