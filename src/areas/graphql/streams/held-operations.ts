/** Counts the operations that go on, of all connections. */

import { EventEmitter } from 'node:events';
import type { Request } from '../../../http/exchange.js';
import { type HeldRequest, HeldRequests } from '../../../http/held-requests.js';

/** Half of them may be of one sandbox, a third of one address. */
const limit = 10_000;

export class HeldOperations {
  readonly #places = new HeldRequests(limit, 'operations');

  /** Throws 503 when there are as many as there may be. Its holder releases it when the operation ends. */
  hold(request: Request): HeldRequest {
    // What carries it ends it: a connection, or a message that says so.
    const closing = Object.assign(new EventEmitter(), { destroyed: false });
    return this.#places.holdUntilClosed(request, closing);
  }
}
