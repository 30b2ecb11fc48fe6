/** Counts requests with delayed or endless responses: in total, per sandbox and per address. */

import type { EventEmitter } from 'node:events';
import { addressOwner } from '../base/address-block.js';
import { newPromise } from '../base/awaitable.js';
import { Shares } from '../base/shares/shares.js';
import { guard } from '../wire/guard.js';
import { sandboxNameOf } from './address/sandbox-name.js';
import type { Reply, Request } from './exchange.js';
import { HttpError } from './http-error.js';

const retryAfterSeconds = 5;

/** Its holder must release it, however the request ends. */
export interface HeldRequest {
  /** Aborted when the client leaves, the time is over, or the service stops. */
  readonly signal: AbortSignal;
  /** Resolves when the signal is aborted. */
  readonly ended: Promise<void>;
  /** Aborts the signal; safe to call more than once. */
  release(): void;
}

type Closing = EventEmitter & { readonly destroyed: boolean };

/**
 * Shared, because Node creates an error with a stack for each signal that is aborted without a
 * reason.
 */
const released = new Error('The request is held no longer.');

export class HeldRequests {
  readonly #things: string;
  /** By account, or by sandbox if there are no accounts. */
  readonly #bySandbox: Shares<() => void>;
  readonly #byAddress: Shares<() => void>;
  readonly #releases = new Set<() => void>();
  #isOver = false;

  /**
   * A sandbox or account has at most half of the `limit`, an address a third; `things` names them
   * in messages.
   */
  constructor(limit: number, things = 'requests') {
    this.#things = things;
    this.#bySandbox = new Shares(limit, Math.floor(limit / 2));
    this.#byAddress = new Shares(limit, Math.floor(limit / 3));
  }

  get size(): number {
    return this.#releases.size;
  }

  /** Holds a request until the client leaves or for `forMs`. Throws 503 when a limit is reached. */
  hold(request: Request, { raw }: Reply, forMs?: number): HeldRequest {
    return this.holdUntilClosed(request, raw, forMs);
  }

  /** Holds a request until something else is closed, such as a connection, or for `forMs`. */
  holdUntilClosed(request: Request, closing: Closing, forMs?: number): HeldRequest {
    const sandbox = request.accountId ?? sandboxNameOf(request.raw);
    const address = request.raw.sandboxAddress?.pupil?.sandbox.name ?? addressOwner(request.ip);
    this.#checkRoom(sandbox, address);
    const controller = new AbortController();
    const { promise: ended, resolve: end } = newPromise();
    const release = guard(request.raw, (): void => {
      if (!this.#releases.delete(release)) return;
      this.#bySandbox.remove(sandbox, release);
      this.#byAddress.remove(address, release);
      clearTimeout(timer);
      closing.off('close', release);
      controller.abort(released);
      end();
    });
    const timer = forMs === undefined ? undefined : setTimeout(release, forMs);
    this.#releases.add(release);
    this.#bySandbox.add(sandbox, release);
    this.#byAddress.add(address, release);
    closing.once('close', release);
    if (this.#isOver || closing.destroyed) release();
    return { signal: controller.signal, ended, release };
  }

  /** Ends all held requests, and later ones at once. */
  endAll(): void {
    this.#isOver = true;
    for (const release of this.#releases) release();
  }

  #checkRoom(sandbox: string, address: string): void {
    for (const [shares, owner, whose] of [
      [this.#byAddress, address, 'of one address'],
      [this.#bySandbox, sandbox, 'of one sandbox'],
    ] as const) {
      if (shares.isUsedUpBy(owner)) throw this.#noRoom(shares.limitPerOwner, whose);
    }
    if (this.#bySandbox.isFull) throw this.#noRoom(this.#bySandbox.limit, 'in all');
  }

  #noRoom(limit: number, whose: string): HttpError {
    return new HttpError(
      503,
      `The service already holds ${limit} ${this.#things} ${whose}, its limit. End one first, or try again in a moment.`,
      { headers: { 'retry-after': String(retryAfterSeconds) } },
    );
  }
}

/** Waits until the time is over, or the request has ended. */
export async function pause(ms: number, place: HeldRequest | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await (place === undefined ? over : Promise.race([over, place.ended]));
  clearTimeout(timer);
}
