/** Which sandbox a request names, and to whom it belongs. */

import type { IncomingMessage } from 'node:http';
import type { Config } from '../../config/settings.js';
import {
  ownedSandboxName,
  type Sandbox,
  type State,
  sharedSandboxName,
} from '../../state/state.js';
import type { Request } from '../exchange.js';
import { HttpError } from '../http-error.js';
import { ownerOf } from './owner.js';
import { isSandboxName } from './sandbox-address.js';

/**
 * Returns the sandbox that the address or X-Sandbox names, or else the name of the shared one. Throws 400 for an invalid
 * name and for two names: a caller that meant to be isolated must not write into what others see.
 */
export function sandboxNameOf({ headers, sandboxAddress }: IncomingMessage): string {
  const name = headers['x-sandbox'];
  // A repeated header arrives joined by a comma, which no name has.
  if (name !== undefined && (typeof name !== 'string' || !isSandboxName(name))) {
    throw new HttpError(
      400,
      'X-Sandbox names a sandbox by 1 to 64 letters, digits, dots, underscores and hyphens, once.',
    );
  }
  if (sandboxAddress === undefined) return name ?? sharedSandboxName;
  const { sandbox, fault } = sandboxAddress;
  if (fault !== undefined) throw new HttpError(400, fault);
  if (sandbox === undefined) throw new Error('The account of this address is not known yet.');
  if (name !== undefined && name !== sandbox) {
    throw new HttpError(
      400,
      'X-Sandbox names another sandbox than the address does. Leave the header out below /s/, or name the same.',
    );
  }
  return sandbox;
}

/** Makes the function that returns the sandbox of a request. Where accounts are required, each has its own sandboxes. */
export function sandboxReader(
  state: State,
  { accounts }: Pick<Config, 'accounts'>,
): (request: Request) => Sandbox {
  if (accounts === 'required') {
    return ({ raw, accountId }) => {
      // Open endpoints must not use state: a stranger has no sandbox here.
      if (accountId === undefined) throw new Error('This request has no account.');
      return state.sandbox(ownedSandboxName(accountId, sandboxNameOf(raw)));
    };
  }
  const shared = state.sandbox(sharedSandboxName);
  return (request) => {
    const name = sandboxNameOf(request.raw);
    return name === sharedSandboxName ? shared : state.sandbox(name, () => ownerOf(request));
  };
}
