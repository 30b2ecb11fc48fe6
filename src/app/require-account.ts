/** Admits requests with the key of an account or an address of it, and counts them against its quota. */

import type { Accounts } from '../accounts/accounts.js';
import type { Config } from '../config/settings.js';
import type { Step } from '../kit/endpoint.js';
import { tooManyRequests } from '../kit/limits/too-many-requests.js';
import { readServiceKey, unknownServiceKey } from '../kit/service-key.js';
import { unknownAddress } from './begin.js';

/** Makes the step that rejects with 401 and 429 on every endpoint that is not open. */
export function requireAccount(
  accounts: Accounts,
  { accountQuota }: Pick<Config, 'accountQuota'>,
): Step {
  return async (request) => {
    const { isOpen, isOpenTo } = request.route?.spec ?? {};
    if (isOpen || isOpenTo?.(request)) return;
    const addressed = request.raw.sandboxAddress?.account;
    const admission = await accounts.admit(addressed ?? readServiceKey(request));
    // The key may have been rotated since the address was looked up.
    if (admission === undefined) throw addressed ? unknownAddress() : unknownServiceKey();
    if (!admission.isAccepted) {
      const message = `The account has made the ${accountQuota} requests that it may make per minute.`;
      throw tooManyRequests(message, admission.secondsLeft);
    }
    request.accountId = admission.accountId;
  };
}
