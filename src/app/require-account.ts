/** Lets requests into an area by the key of an account, or an address that stands for it, and counts them against its quota. */

import type { Accounts, Admission } from '../accounts/accounts.js';
import type { Config } from '../config/settings.js';
import type { Request } from '../http/exchange.js';
import type { HttpError } from '../http/http-error.js';
import type { Step } from '../kit/endpoint.js';
import { tooManyRequests } from '../kit/limits/too-many-requests.js';
import { readServiceKey, unknownServiceKey } from '../kit/service-key.js';
import { unknownAddress } from './begin.js';

/** Makes the step that rejects with 401 and 429 on every endpoint that is not open, before anything of the request is read. */
export function requireAccount(
  accounts: Accounts,
  { accountQuota }: Pick<Config, 'accountQuota'>,
): Step {
  return (request) => {
    if (isOpen(request)) return;
    const addressed = request.raw.sandboxAddress?.account;
    const admission = accounts.admit(addressed ?? readServiceKey(request));
    if (!(admission instanceof Promise)) return letIn(request, admission, accountQuota);
    return admission.then((known) => letIn(request, known, accountQuota));
  };
}

/** Notes the account, or throws why there is none. */
function letIn(request: Request, admission: Admission | undefined, quota: number): void {
  if (admission === undefined) {
    // The key may have been rotated since the address was looked up.
    throw request.raw.sandboxAddress?.account ? unknownAddress() : unknownServiceKey();
  }
  if (!admission.isAccepted) throw quotaUsedUp(quota, admission.secondsLeft);
  request.accountId = admission.accountId;
}

function isOpen(request: Request): boolean {
  const { isOpen = false, isOpenTo } = request.route?.spec ?? {};
  return isOpen || (isOpenTo?.(request) ?? false);
}

function quotaUsedUp(quota: number, secondsLeft: number): HttpError {
  const message = `The account has made the ${quota} requests that it may make per minute.`;
  return tooManyRequests(message, secondsLeft);
}
