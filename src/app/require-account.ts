/** Lets requests into an area by the key of an account, or an address that stands for it, and counts them against its quota. */

import type { FastifyInstance } from 'fastify';
import type { Accounts, Admission } from '../accounts/accounts.js';
import type { Config } from '../config/settings.js';
import type { Request } from '../http/exchange.js';
import type { HttpError } from '../http/http-error.js';
import { readServiceKey, unknownServiceKey } from '../kit/service-key.js';
import { tooManyRequests } from '../kit/too-many-requests.js';
import { unknownAddress } from './open-account-address.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose request it is; absent where no account is needed. */
    accountId?: string;
  }
}

/**
 * Refuses with 401 and 429 on every route of an application that is not open, before anything of the
 * request is read or done.
 */
export function requireAccount(
  app: FastifyInstance,
  accounts: Accounts,
  { accountQuota }: Pick<Config, 'accountQuota'>,
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isOpen(request)) return done();
    const addressed = request.raw.sandboxAddress?.account;
    const admission = accounts.admit(addressed ?? readServiceKey(request));
    const decide = (known: Admission | undefined) => done(letIn(request, known, accountQuota));
    if (admission instanceof Promise) admission.then(decide, done);
    else decide(admission);
  });
}

/** Takes note of the account, or returns the refusal. */
function letIn(
  request: Request,
  admission: Admission | undefined,
  quota: number,
): HttpError | undefined {
  if (admission === undefined) {
    // The key may have been rotated since the address was looked up.
    return request.raw.sandboxAddress?.account ? unknownAddress() : unknownServiceKey();
  }
  if (!admission.isAccepted) return quotaUsedUp(quota, admission.secondsLeft);
  request.accountId = admission.accountId;
  return undefined;
}

function isOpen(request: Request): boolean {
  const { isOpen = false, isOpenTo } = request.routeOptions.config;
  return isOpen || (isOpenTo?.(request) ?? false);
}

function quotaUsedUp(quota: number, secondsLeft: number): HttpError {
  const message = `The account has made the ${quota} requests that it may make per minute.`;
  return tooManyRequests(message, secondsLeft);
}
