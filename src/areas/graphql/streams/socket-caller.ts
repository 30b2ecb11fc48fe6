/**
 * Finds the account of a WebSocket: a key in the handshake, in its path, or, for browsers, in
 * `connection_init`.
 */

import type { IncomingMessage } from 'node:http';
import { type AccountKey, parseAccountKey } from '#accounts/account-key.js';
import type { Admission } from '#accounts/accounts.js';
import { ownerOf } from '#http/address/owner.js';
import type { Request } from '#http/exchange.js';
import { sentServiceKey } from '#kit/service-key.js';
import type { Limits, Runtime } from '#kit/services.js';

/** Counts a request of the account, or returns code and reason to close with. */
export type Admit = (
  payload: Readonly<Record<string, unknown>> | undefined,
) => Promise<readonly [code: number, reason: string] | undefined>;

const unauthorized = 4401;
const tryAgainLater = 1013;

const howToSendOne = 'Send your account key as "X-Service-Key" in the connection_init message.';

/** Returns whether a handshake contains a key. */
export function isKeyed(request: IncomingMessage): boolean {
  const { account, pupil } = request.sandboxAddress ?? {};
  return account !== undefined || pupil !== undefined || sentServiceKey(request) !== undefined;
}

export function socketCaller(request: Request, { accounts }: Limits, { config }: Runtime): Admit {
  if (config.accounts !== 'required') return async () => undefined;
  if (request.raw.sandboxAddress?.pupil !== undefined) {
    return async () => rejectionOf(await accounts.countPupil(ownerOf(request)));
  }
  let key: AccountKey | undefined = keyOf(request);

  return async (payload) => {
    key ??= keyIn(payload);
    if (key === undefined) return [unauthorized, howToSendOne];
    const admission = await accounts.admit(key);
    if (admission === undefined) return [unauthorized, 'The key is invalid.'];
    const rejection = rejectionOf(admission);
    if (rejection === undefined) request.accountId = admission.accountId;
    return rejection;
  };
}

function rejectionOf({ isAccepted, secondsLeft }: Omit<Admission, 'accountId'>) {
  if (isAccepted) return undefined;
  return [tryAgainLater, `The account's quota is used up. Wait ${secondsLeft} s.`] as const;
}

function keyOf({ raw }: Request): AccountKey | undefined {
  const key = raw.sandboxAddress?.account ?? sentServiceKey(raw);
  return key === 'malformed' ? undefined : key;
}

function keyIn(payload: Readonly<Record<string, unknown>> = {}): AccountKey | undefined {
  for (const [name, value] of Object.entries(payload)) {
    if (name.toLowerCase() === 'x-service-key') return parseAccountKey(String(value));
  }
  return undefined;
}
