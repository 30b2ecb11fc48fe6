/** Sandboxes other than the shared one. */

import type { Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { type Sandbox, sharedSandboxName } from '../../state/state.js';

/** Throws 403 for the shared sandbox; `what` begins the message. */
export function ownSandbox({ sandbox }: Request, what: string): Sandbox {
  if (sandbox.name !== sharedSandboxName) return sandbox;
  throw new HttpError(
    403,
    `${what} your own sandbox, because requests without X-Sandbox share one. Send a header such as X-Sandbox: any-name, or put /s/any-name before the path.`,
  );
}
