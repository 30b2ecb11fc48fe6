/** Which sandbox a request names, and whose it is. */

import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/settings.js';
import { ownedSandboxName, type Sandbox, type State, sharedSandboxName } from '../state/state.js';
import { HttpError } from './http-error.js';

const validName = /^[\w.-]{1,64}$/;

/**
 * The value of X-Sandbox, or the shared sandbox's name without one. Throws 400 for anything that is
 * no name: whoever meant to be isolated must not silently write into what others see.
 */
export function sandboxNameOf({ headers }: IncomingMessage): string {
  const name = headers['x-sandbox'];
  if (name === undefined) return sharedSandboxName;
  // A repeated header arrives joined by a comma, which no name has.
  if (typeof name !== 'string' || !validName.test(name)) {
    throw new HttpError(
      400,
      'X-Sandbox names a sandbox by 1 to 64 letters, digits, dots, underscores and hyphens, once.',
    );
  }
  return name;
}

/**
 * Makes the function that areas ask for the sandbox of a request. Where accounts are required, each
 * has sandboxes of its own, whatever names others give to theirs.
 */
export function sandboxReader(
  state: State,
  { accounts }: Pick<Config, 'accounts'>,
): (request: FastifyRequest) => Sandbox {
  if (accounts === 'required') {
    return ({ raw, accountId }) => {
      // An open route must not reach for state: a stranger has no sandbox here.
      if (accountId === undefined) throw new Error('This request has no account.');
      return state.sandbox(ownedSandboxName(accountId, sandboxNameOf(raw)));
    };
  }
  const shared = state.sandbox(sharedSandboxName);
  return ({ raw }) => {
    const name = sandboxNameOf(raw);
    return name === sharedSandboxName ? shared : state.sandbox(name);
  };
}
