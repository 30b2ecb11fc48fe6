/** Which sandbox a request names. */

import type { IncomingMessage } from 'node:http';
import { sharedSandboxName } from '../state/state.js';
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
