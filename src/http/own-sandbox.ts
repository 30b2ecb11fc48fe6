/** Sandboxes that keep something for one caller alone. */

import { HttpError } from '../server/http-error.js';
import { type Sandbox, sharedSandboxName } from '../state/state.js';

/** Throws 403 in the sandbox that strangers share; `what` is kept, such as `Files`. */
export function refuseShared({ name }: Sandbox, what: string): void {
  if (name !== sharedSandboxName) return;
  throw new HttpError(
    403,
    `${what} are kept in a sandbox of your own, and strangers share the one of those who name none. Send a header such as X-Sandbox: any-name.`,
  );
}
