/** The second step of a login: codes by time, and codes for when the telephone is gone. Each can be used once. */

import { isSameSecret } from '../../http/credentials/is-same-secret.js';
import type { PracticeUser } from '../../http/credentials/practice-users.js';
import { totpStep } from '../../http/credentials/totp.js';
import type { Change, Space } from '../../state/state.js';

/** By user: the last step of RFC 6238 whose code was accepted. */
export const usedSteps: Space<number> = { name: 'login-totp-steps', maxKeys: 100 };

/** By user: the places of the recovery codes that were taken. */
export const usedCodes: Space<readonly number[]> = { name: 'login-recovery-codes', maxKeys: 100 };

/** A code is right for as long as clocks may differ. */
const rememberedMs = 5 * 60 * 1000;

export function takeCode(
  { totpSecret }: PracticeUser,
  code: string,
  last: number | undefined,
  nowMs: number,
): Change<number, boolean> {
  const step = totpSecret && totpStep(totpSecret, code.replace(/\s/g, ''), nowMs);
  if (typeof step !== 'number' || step <= (last ?? -1)) {
    return { value: last, expiresAtMs: nowMs + rememberedMs, result: false };
  }
  return { value: step, expiresAtMs: nowMs + rememberedMs, result: true };
}

export function takeRecoveryCode(
  { recoveryCodes = [] }: PracticeUser,
  code: string,
  used: readonly number[] = [],
): Change<readonly number[], boolean> {
  const sent = code.trim().toLowerCase();
  const place = recoveryCodes.findIndex((each) => isSameSecret(sent, each));
  if (place < 0 || used.includes(place)) return { value: used, result: false };
  return { value: [...used, place], result: true };
}
