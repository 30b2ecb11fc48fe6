/** Lets requests in by an address that acts as an account: `/s/~…`. */

import type { IncomingMessage } from 'node:http';
import type { Accounts, AddressedAccount } from '../accounts/accounts.js';
import { type Awaitable, whenKnown } from '../base/awaitable.js';
import type { Config } from '../config/settings.js';
import { HttpError } from '../http/http-error.js';
import { sentServiceKey } from '../kit/service-key.js';

export type OpenAddress = (request: IncomingMessage) => Awaitable<void>;

/**
 * Makes the function that finds out whose address a request came to. It throws, or rejects with, 404 for one
 * that is nobody's, which all are where no account is asked for, and 400 when the request has a key that
 * says otherwise.
 */
export function accountAddressOpener(
  accounts: Accounts,
  { accounts: terms }: Pick<Config, 'accounts'>,
): OpenAddress {
  return (request) => {
    const { sandboxAddress } = request;
    const { secret = '' } = sandboxAddress ?? {};
    if (secret === '' || terms !== 'required') throw unknownAddress();
    return whenKnown(accounts.findAddressed(secret), (found) => {
      if (found === undefined || sandboxAddress === undefined) throw unknownAddress();
      rejectOtherKey(request, found);
      sandboxAddress.sandbox = found.sandbox;
      sandboxAddress.account = found.key;
    });
  };
}

function rejectOtherKey(request: IncomingMessage, { key }: AddressedAccount): void {
  const sent = sentServiceKey(request);
  if (sent === undefined) return;
  if (sent !== 'malformed' && sent.accountId === key.accountId && sent.hash === key.hash) return;
  throw new HttpError(
    400,
    'The key in X-Service-Key is not the one that this address was made with. The address needs none: leave the header out.',
  );
}

export function unknownAddress(): HttpError {
  return new HttpError(
    404,
    'There is no such address: it was ended, its key was rotated, its account is gone, or it was never made. POST /api/sandbox/address makes one where accounts are required.',
  );
}
