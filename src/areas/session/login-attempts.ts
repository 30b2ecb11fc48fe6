/** Limits wrong attempts at passwords and codes. Beyond the limit, all attempts have to wait. */

import { hash } from 'node:crypto';
import { isSameSecret } from '#http/credentials/is-same-secret.js';
import type { PracticeUser } from '#http/credentials/practice-users.js';
import { takeTotp } from '#http/credentials/totp.js';
import type { Change, Space, Transaction } from '#state/state.js';

export const maxWrong = 5;
const waitSeconds = 60;

/** Wrong attempts are forgotten after this time without another. */
const memoryMs = 15 * 60 * 1000;

export interface Attempts {
  readonly wrong: number;
  readonly waitsUntilMs?: number;
}

/** Keyed by the hash of the kind of secret and the user. */
const attempts: Space<Attempts> = { name: 'login-attempts', maxKeys: 5000 };

export type Verdict =
  | { readonly kind: 'right' | 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number };

/** During a wait, a correct attempt is rejected like a wrong one, so that it reveals nothing. */
export function countAttempt(
  current: Attempts | undefined,
  isRight: boolean,
  nowMs: number,
): Change<Attempts, Verdict> {
  const waitMs = (current?.waitsUntilMs ?? nowMs) - nowMs;
  // Setting the clock back does not prolong the wait.
  const isWaiting = waitMs > 0 && waitMs <= waitSeconds * 1000;
  if (current !== undefined && isWaiting) {
    const result = { kind: 'wait', seconds: Math.ceil(waitMs / 1000) } as const;
    return { value: current, expiresAtMs: nowMs + waitMs, result };
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

export function count(view: Transaction, what: string, username: string, isRight: boolean) {
  const key = hash('sha256', JSON.stringify([what, username]), 'base64url');
  const { value, result, ...options } = countAttempt(view.read(attempts, key), isRight, view.nowMs);
  view.write(attempts, key, value, options);
  return result;
}

/** A second factor, whose codes work once. Used codes are stored for each user. */
export interface SecondStep<Used> {
  /** The method's name in RFC 8176. */
  readonly method: string;
  readonly space: Space<Used>;
  readonly take: (
    user: PracticeUser,
    code: string,
    used: Used | undefined,
    nowMs: number,
  ) => Change<Used, boolean>;
}

/** Stores the last time step of RFC 6238 whose code was accepted. */
export const codeByTime: SecondStep<number> = {
  method: 'otp',
  space: { name: 'login-totp-steps', maxKeys: 100 },
  take: (user, code, last, nowMs) =>
    takeTotp(user.totpSecret, code.replace(/\s/g, ''), last, nowMs),
};

/** Stores the positions of the codes that were accepted. */
export const recoveryCode: SecondStep<readonly number[]> = {
  method: 'rec',
  space: { name: 'login-recovery-codes', maxKeys: 100 },
  take({ recoveryCodes = [] }, code, used = []) {
    const sent = code.trim().toLowerCase();
    const index = recoveryCodes.findIndex((each) => isSameSecret(sent, each));
    if (index < 0 || used.includes(index)) return { value: used, result: false };
    return { value: [...used, index], result: true };
  },
};

/**
 * Uses up a code only if the attempt is counted. Attempts are counted apart from passwords, because a correct password
 * resets their count.
 */
export function attemptCode<Used>(
  view: Transaction,
  { space, take }: SecondStep<Used>,
  user: PracticeUser,
  code: string,
): Verdict {
  const { username } = user;
  const { value, result, ...options } = take(user, code, view.read(space, username), view.nowMs);
  const verdict = count(view, 'code', username, result);
  if (verdict.kind === 'right') view.write(space, username, value, options);
  return verdict;
}
