/** Request targets that HTTP does not have: RFC 9112 section 3.2. */

import { HttpError } from './http-error.js';

/** Refuses what the router would take for another target, so that no client mistakes it for right. */
export function checkTarget(target: string): void {
  if (target === '*') {
    throw new HttpError(400, 'The target * asks about the whole server, which only OPTIONS can.');
  }
  if (target.includes('#')) {
    throw new HttpError(
      400,
      'The URL holds a #. A fragment stays with the client; a # in data is %23.',
    );
  }
}
