/** Sandboxes other than the shared one. */

import type { Config } from '#config/settings.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { type Sandbox, sharedSandboxName } from '#state/state.js';
import type { Sandboxes } from '../services.js';

/** Throws 403 for the shared sandbox; `what` begins the message. */
export function ownSandbox({ sandbox }: Request, what: string): Sandbox {
  if (sandbox.name !== sharedSandboxName) return sandbox;
  throw new HttpError(
    403,
    `${what} your own sandbox, because requests without X-Sandbox share one. Send a header such as X-Sandbox: any-name, or put /s/any-name before the path.`,
  );
}

/**
 * Makes the function that returns the sandbox of any request; `undefined` for the shared one, and for
 * a caller without an account where one is required.
 */
export function ownSandboxReader(
  { accounts }: Pick<Config, 'accounts'>,
  { sandboxOf }: Pick<Sandboxes, 'sandboxOf'>,
): (request: Request) => Sandbox | undefined {
  const isRequired = accounts === 'required';
  return (request) => {
    const { headers, sandboxAddress, actingSandbox } = request.raw;
    if (isRequired) {
      if (request.accountId === undefined) return undefined;
    } else if (headers['x-sandbox'] === undefined && sandboxAddress === undefined) {
      // The shared sandbox, unless this is a replay.
      if (actingSandbox === undefined) return undefined;
    }
    const sandbox = sandboxOf(request);
    return sandbox.name === sharedSandboxName ? undefined : sandbox;
  };
}
