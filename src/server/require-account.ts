/** Lets requests into an area by the key of an account, and counts them against its quota. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Accounts, Admission } from '../accounts/accounts.js';
import type { Config } from '../config/settings.js';
import { HttpError } from './http-error.js';
import { readServiceKey, unknownServiceKey } from './service-key.js';

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
    const admission = accounts.admit(readServiceKey(request));
    const decide = (known: Admission | undefined) => done(letIn(request, known, accountQuota));
    if (admission instanceof Promise) admission.then(decide, done);
    else decide(admission);
  });
}

/** Takes note of the account, or returns the refusal. */
function letIn(
  request: FastifyRequest,
  admission: Admission | undefined,
  quota: number,
): HttpError | undefined {
  if (admission === undefined) return unknownServiceKey();
  if (!admission.isAccepted) return quotaUsedUp(quota, admission.secondsLeft);
  request.accountId = admission.accountId;
  return undefined;
}

function isOpen(request: FastifyRequest): boolean {
  const { isOpen = false, isOpenTo } = request.routeOptions.config;
  return isOpen || (isOpenTo?.(request) ?? false);
}

function quotaUsedUp(quota: number, secondsLeft: number): HttpError {
  return new HttpError(
    429,
    `The account has made the ${quota} requests that it may make per minute. Wait ${secondsLeft} s.`,
    { headers: { 'retry-after': String(secondsLeft) }, body: { retryAfter: secondsLeft } },
  );
}
