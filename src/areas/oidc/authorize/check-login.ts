/** Whether a login form is right: the password, and for those who have one a code after it. */

import { isSameSecret } from '../../../http/credentials/is-same-secret.js';
import type { Form } from '../../../http/credentials/oauth-form.js';
import { totpStep } from '../../../http/credentials/totp.js';
import type { Sandbox } from '../../../state/state.js';
import { findUser } from '../users/find-user.js';
import type { User } from '../users/ready-users.js';
import type { TryCode } from '../users/try-code.js';
import type { Browser } from './browser.js';
import { usedRecoveryCodes, usedSteps } from './session.js';

type Checked =
  | { readonly user: User; readonly isMfa: boolean }
  | { readonly fault?: string; readonly needsCodeOf?: User };

/** A code can be used for as long as clocks may differ. */
const rememberedMs = 5 * 60 * 1000;

export async function checkLogin(
  sandbox: Sandbox,
  browser: Browser,
  form: Form,
  nowMs: number,
  tryCode: TryCode,
): Promise<Checked> {
  const username = form.get('username') ?? '';
  const user = await findUser(sandbox, username);
  const code = form.get('code');
  if (code !== undefined) {
    if (user === undefined || !browser.isProof(form.get('proof'), nowMs, 'code', username)) {
      return { fault: 'Log in again: the password was too long ago.' };
    }
    const isRight = await tryCode(
      async () =>
        (await takeCode(sandbox, user, code)) || (await takeRecoveryCode(sandbox, user, code)),
    );
    if (isRight) return { user, isMfa: true };
    return { needsCodeOf: user, fault: 'The code is wrong, or was used before.' };
  }
  const isRight = isSameSecret(form.get('password') ?? '', user?.password ?? '');
  if (user === undefined || !isRight) return { fault: 'The user name or the password is wrong.' };
  return user.totpSecret === undefined ? { user, isMfa: false } : { needsCodeOf: user };
}

/** Each code can be used once (RFC 6238 section 5.2). */
async function takeCode(
  sandbox: Sandbox,
  { username, totpSecret = '' }: User,
  code: string,
): Promise<boolean> {
  return sandbox.update(usedSteps, username, (last: number | undefined, nowMs) => {
    const step = totpStep(totpSecret, code, nowMs);
    if (step === undefined || step <= (last ?? -1)) return { value: last, result: false };
    return { value: step, expiresAtMs: nowMs + rememberedMs, result: true };
  });
}

/** Each can be used once, until the sandbox is reset. */
async function takeRecoveryCode(
  sandbox: Sandbox,
  { username, recoveryCodes = [] }: User,
  code: string,
): Promise<boolean> {
  const known = recoveryCodes.find((each) => isSameSecret(code.trim().toLowerCase(), each));
  if (known === undefined) return false;
  const key = JSON.stringify([username, known]);
  return sandbox.update(usedRecoveryCodes, key, (used: true | undefined) => ({
    value: true as const,
    result: !used,
  }));
}
