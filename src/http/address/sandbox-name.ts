/** Finds the sandbox of a request, and its owner. */

import type { IncomingMessage } from 'node:http';
import type { Config } from '#config/settings.js';
import { ownedSandboxName, type Sandbox, type State, sharedSandboxName } from '#state/state.js';
import type { Request } from '../exchange.js';
import { HttpError } from '../http-error.js';
import { ownerOf } from './owner.js';
import { isSandboxName } from './sandbox-address.js';

declare module 'node:http' {
  interface IncomingMessage {
    /** Replaces the sandbox of the request, after its name was checked. */
    actingSandbox?: Sandbox;
    /** The account of a request that the service runs itself, whose quota it does not count for. */
    actingAccount?: string;
  }
}

/**
 * Returns the sandbox of the path or X-Sandbox, or else the shared one. Throws 400 for an invalid
 * name and for two names, so that an isolated caller never writes into the shared sandbox.
 */
export function sandboxNameOf({ headers, sandboxAddress }: IncomingMessage): string {
  const name = headers['x-sandbox'];
  // Commas join repeated headers, and no name has a comma.
  if (name !== undefined && (typeof name !== 'string' || !isSandboxName(name))) {
    throw new HttpError(
      400,
      'Invalid X-Sandbox: send it once, with 1 to 64 letters, digits, dots, underscores and hyphens.',
    );
  }
  if (sandboxAddress === undefined) return name ?? sharedSandboxName;
  const { sandbox, fault } = sandboxAddress;
  if (fault !== undefined) throw new HttpError(400, fault);
  if (sandbox === undefined) throw new Error('The account of this request is not known yet.');
  if (name !== undefined && name !== sandbox) {
    throw new HttpError(
      400,
      'X-Sandbox and the path name different sandboxes. Below /s/, omit the header or send the same name.',
    );
  }
  return sandbox;
}

/**
 * Makes the function that returns the sandbox of a request. Where accounts are required, each
 * account has its own sandboxes.
 */
export function sandboxReader(
  state: State,
  { accounts }: Pick<Config, 'accounts'>,
): (request: Request) => Sandbox {
  if (accounts === 'required') {
    return ({ raw, accountId, moment }) => {
      if (raw.actingSandbox !== undefined) return raw.actingSandbox;
      // Open endpoints must not use state, because a stranger has no sandbox.
      if (accountId === undefined) throw new Error('This request has no account.');
      return state.sandbox(ownedSandboxName(accountId, sandboxNameOf(raw)), undefined, moment);
    };
  }
  return (request) => {
    const { raw, moment } = request;
    if (raw.actingSandbox !== undefined) return raw.actingSandbox;
    const name = sandboxNameOf(raw);
    const caller = name === sharedSandboxName ? undefined : () => ownerOf(request).name;
    return state.sandbox(name, caller, moment);
  };
}
