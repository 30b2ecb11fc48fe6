/** Counts the running operations of all connections. */

import { EventEmitter } from 'node:events';
import type { Request } from '#http/exchange.js';
import { type HeldRequest, HeldRequests } from '#http/held-requests.js';

/** A sandbox may have half of them, an address a third. */
const limit = 10_000;

export class HeldOperations {
  readonly #places = new HeldRequests(limit, 'operations');

  /** Throws 503 at the limit. Its holder releases it when the operation ends. */
  hold(request: Request): HeldRequest {
    // The connection or a message ends the operation, so it has no own closing event.
    const closing = Object.assign(new EventEmitter(), { destroyed: false });
    return this.#places.holdUntilClosed(request, closing);
  }
}
