/** Which sandbox a request names, and whose it is. */

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
import { isSandboxName } from './is-sandbox-name.js';
import { ownerOf } from './owner.js';
import type { SandboxAddress } from './sandbox-address.js';

/**
 * The sandbox that the address or X-Sandbox names, or the shared one's name without either. Throws 400 for
 * anything that is no name, and for two names: whoever meant to be isolated must not silently write into
 * what others see.
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
  return nameInAddress(sandboxAddress, name);
}

/** The address decides; the header may only say the same. */
function nameInAddress({ sandbox, fault }: SandboxAddress, name: string | undefined): string {
  if (fault !== undefined) throw new HttpError(400, fault);
  if (sandbox === undefined) throw new Error('Whose address this is has not been asked for.');
  if (name !== undefined && name !== sandbox) {
    throw new HttpError(
      400,
      'X-Sandbox names another sandbox than the address does. Leave the header out below /s/, or name the same.',
    );
  }
  return sandbox;
}

/**
 * Makes the function that areas ask for the sandbox of a request. Where accounts are required, each
 * has sandboxes of its own, whatever names others give to theirs.
 */
export function sandboxReader(
  state: State,
  { accounts }: Pick<Config, 'accounts'>,
): (request: Request) => Sandbox {
  if (accounts === 'required') {
    return ({ raw, accountId }) => {
      // An open route must not reach for state: a stranger has no sandbox here.
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
