import { hasRoomFor, noRoom } from '#wire/measured-response.js';
import type { Request } from '../exchange.js';
import { HttpError } from '../http-error.js';

/** Throws 503 unless the budget of unsent bytes has room for a response that is still to be made. */
export function requireRoom({ raw }: Request, bytes: number): void {
  const { status, message, headers } = noRoom;
  if (!hasRoomFor(raw, bytes)) throw new HttpError(status, message, { headers });
}
