/** Memory for bodies that a request needs until its response is complete. */

import { guard } from '#wire/guard.js';
import type { Reply, Request } from '../exchange.js';
import { HttpError } from '../http-error.js';

/** Reserves memory for bodies until the response is complete. Throws 503 if there is too little. */
export function reserveUntilResponse(
  { exchanges: { bodies } }: Request,
  { raw }: Reply,
  bytes: number,
): void {
  if (raw.destroyed) return;
  if (!bodies.reserve(bytes)) throw noRoomForBodies();
  raw.once(
    'close',
    guard(raw.req, () => bodies.release(bytes)),
  );
}

export function noRoomForBodies(): HttpError {
  return new HttpError(
    503,
    'The bodies of all current requests have reached their memory limit. Try again in a moment.',
    { headers: { 'retry-after': '2' } },
  );
}
