/** A login: a session of the issuer, under a new name. */

import type { Sandbox } from '../../../state/state.js';
import { randomText } from '../random-text.js';
import { lifetimesIn } from '../settings/issuer-settings.js';
import type { User } from '../users/ready-users.js';
import type { Browser } from './browser.js';
import { type Session, sessions } from './session.js';

export async function beginSession(
  sandbox: Sandbox,
  browser: Browser,
  { username }: User,
  isMfa: boolean,
): Promise<Session> {
  const former = browser.sessionKey;
  const key = browser.beginSession();
  const sid = randomText('sid');
  return sandbox.transact((view) => {
    const session = {
      username,
      authTimeMs: view.nowMs,
      amr: isMfa ? ['pwd', 'otp', 'mfa'] : ['pwd'],
      acr: isMfa ? 'mfa' : 'pwd',
      sid,
    };
    if (former !== undefined) view.write(sessions, former, undefined);
    const expiresAtMs = view.nowMs + lifetimesIn(view).session * 1000;
    view.write(sessions, key, session, { expiresAtMs });
    return session;
  });
}
