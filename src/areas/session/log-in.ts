/** The rules of a login over the state: guesses are counted, codes are used up, sessions begin and end. */

import { hash } from 'node:crypto';
import type { Awaitable } from '../../base/awaitable.js';
import { isSameSecret } from '../../http/credentials/is-same-secret.js';
import { type PracticeUser, practiceUsers } from '../../http/credentials/practice-users.js';
import type { Sandbox, Transaction } from '../../state/state.js';
import { attempts, countAttempt, type Verdict } from './count-attempt.js';
import { takeCode, takeRecoveryCode, usedCodes, usedSteps } from './second-step.js';
import { endAfterUse, generations, type Session, sessions } from './session.js';

export function findUser(username: string): PracticeUser | undefined {
  return practiceUsers.find((each) => each.username === username);
}

/** A wrong name takes as long as a wrong password, and is counted alike. */
export function guessPassword(
  sandbox: Sandbox,
  username: string,
  password: string,
): Awaitable<Verdict> {
  const user = findUser(username);
  const isRight = isSameSecret(password, user?.password ?? '') && user !== undefined;
  return sandbox.transact((view) => count(view, 'password', username, isRight));
}

/** A code is used up only where it counts. Guesses are counted apart from those of passwords, which a right password forgets. */
export function guessCode(sandbox: Sandbox, user: PracticeUser, code: string): Awaitable<Verdict> {
  return sandbox.transact((view) => {
    const { username } = user;
    const taken = takeCode(user, code, view.read(usedSteps, username), view.nowMs);
    const verdict = count(view, 'code', username, taken.result);
    if (verdict.kind === 'right') view.write(usedSteps, username, taken.value, taken);
    return verdict;
  });
}

export function guessRecoveryCode(
  sandbox: Sandbox,
  user: PracticeUser,
  code: string,
): Awaitable<Verdict> {
  return sandbox.transact((view) => {
    const { username } = user;
    const taken = takeRecoveryCode(user, code, view.read(usedCodes, username));
    const verdict = count(view, 'code', username, taken.result);
    if (verdict.kind === 'right') view.write(usedCodes, username, taken.value);
    return verdict;
  });
}

function count(view: Transaction, what: string, username: string, isRight: boolean): Verdict {
  const key = hash('sha256', JSON.stringify([what, username]), 'base64url');
  const { result, ...change } = countAttempt(view.read(attempts, key), isRight, view.nowMs);
  view.write(attempts, key, change.value, change);
  return result;
}

interface Beginning extends Pick<Session, 'username' | 'amr' | 'isRemembered' | 'isHalf'> {
  readonly key: string;
  /** The session that this one takes the place of. */
  readonly formerKey: string | undefined;
}

export function beginSession(
  sandbox: Sandbox,
  { key, formerKey, ...begun }: Beginning,
): Awaitable<Session> {
  return sandbox.transact((view) => {
    const generation = view.read(generations, begun.username) ?? 0;
    const session: Session = { ...begun, startedAtMs: view.nowMs, generation };
    if (formerKey !== undefined) view.write(sessions, formerKey, undefined);
    view.write(sessions, key, session, { expiresAtMs: endAfterUse(session, view.nowMs) });
    return session;
  });
}

/** The session, which goes on for having been used; `undefined` when there is none or it has ended. */
export function useSession(sandbox: Sandbox, key: string): Awaitable<Session | undefined> {
  return sandbox.transact((view) => {
    const session = view.read(sessions, key);
    if (session === undefined || !isOfNow(view, session)) return undefined;
    view.write(sessions, key, session, { expiresAtMs: endAfterUse(session, view.nowMs) });
    return session;
  });
}

/** Not of before a logout everywhere, nor of a time that the clock was set back from. */
function isOfNow(view: Transaction, { username, generation, startedAtMs }: Session): boolean {
  return generation === (view.read(generations, username) ?? 0) && startedAtMs <= view.nowMs;
}

export function endSession(sandbox: Sandbox, key: string): Awaitable<void> {
  return sandbox.transact((view) => {
    if (view.read(sessions, key) !== undefined) view.write(sessions, key, undefined);
  });
}

/** Ends all sessions of whoever has this one, and says whether it counted. One number does, however many there are. */
export function endEverywhere(sandbox: Sandbox, key: string): Awaitable<boolean> {
  return sandbox.transact((view) => {
    const session = view.read(sessions, key);
    if (session === undefined || session.isHalf || !isOfNow(view, session)) return false;
    view.write(generations, session.username, session.generation + 1);
    view.write(sessions, key, undefined);
    return true;
  });
}
