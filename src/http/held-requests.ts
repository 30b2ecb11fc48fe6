/**
 * Requests whose responses are delayed or have no end: delays, waits, streams. Each costs a connection and the
 * objects of its request, so they are counted: in total, for each sandbox and for each address. One more costs the
 * same however many there are.
 */

import type { EventEmitter } from 'node:events';
import { addressOwner } from '../base/address-block.js';
import { newPromise } from '../base/awaitable.js';
import { Shares } from '../base/shares/shares.js';
import type { Reply, Request } from './exchange.js';
import { HttpError } from './http-error.js';
import { sandboxNameOf } from './sandbox-name.js';

const retryAfterSeconds = 5;

/** A place, which its holder must release, whatever ends the request. */
export interface HeldRequest {
  /** Aborted when the client leaves, the time is over, or the service stops. */
  readonly signal: AbortSignal;
  /** Resolves when the signal is aborted. */
  readonly ended: Promise<void>;
  /** Gives the place back and aborts the signal; safe to call more than once. */
  release(): void;
}

type Closing = EventEmitter & { readonly destroyed: boolean };

export class HeldRequests {
  readonly #things: string;
  /** By account, or by sandbox where there are no accounts. */
  readonly #bySandbox: Shares<() => void>;
  readonly #byAddress: Shares<() => void>;
  readonly #releases = new Set<() => void>();
  #isOver = false;

  /** One sandbox or account has at most half of the `limit`, one address a third; `things` names them in messages. */
  constructor(limit: number, things = 'requests') {
    this.#things = things;
    this.#bySandbox = new Shares(limit, Math.floor(limit / 2));
    this.#byAddress = new Shares(limit, Math.floor(limit / 3));
  }

  get size(): number {
    return this.#releases.size;
  }

  /**
   * Holds a request until the client leaves or for `forMs`. Throws 503 when a limit is reached. Call it before the
   * response has begun.
   */
  hold(request: Request, { raw }: Reply, forMs?: number): HeldRequest {
    return this.holdUntilClosed(request, raw, forMs);
  }

  /** Holds a request until something else is closed, such as a connection. */
  holdUntilClosed(request: Request, closing: Closing, forMs?: number): HeldRequest {
    const sandbox = request.accountId ?? sandboxNameOf(request.raw);
    const address = addressOwner(request.ip);
    this.#checkRoom(sandbox, address);
    const controller = new AbortController();
    const { promise: ended, resolve: end } = newPromise();
    const release = (): void => {
      if (!this.#releases.delete(release)) return;
      this.#bySandbox.remove(sandbox, release);
      this.#byAddress.remove(address, release);
      clearTimeout(timer);
      closing.off('close', release);
      controller.abort();
      end();
    };
    const timer = forMs === undefined ? undefined : setTimeout(release, forMs);
    this.#releases.add(release);
    this.#bySandbox.add(sandbox, release);
    this.#byAddress.add(address, release);
    closing.once('close', release);
    if (this.#isOver || closing.destroyed) release();
    return { signal: controller.signal, ended, release };
  }

  /** Ends all of them, and from now on each as soon as it is held. */
  endAll(): void {
    this.#isOver = true;
    for (const release of this.#releases) release();
  }

  #checkRoom(sandbox: string, address: string): void {
    const [addresses, sandboxes] = [this.#byAddress, this.#bySandbox];
    if (addresses.isUsedUpBy(address)) {
      throw this.#noRoom(addresses.limitPerOwner, 'of one address');
    }
    if (sandboxes.isUsedUpBy(sandbox)) {
      throw this.#noRoom(sandboxes.limitPerOwner, 'of one sandbox');
    }
    if (sandboxes.isFull) throw this.#noRoom(sandboxes.limit, 'in all');
  }

  #noRoom(limit: number, whose: string): HttpError {
    return new HttpError(
      503,
      `The service holds ${limit} ${this.#things} ${whose} open, the most it may. End one first, or try again in a moment.`,
      { headers: { 'retry-after': String(retryAfterSeconds) } },
    );
  }
}
