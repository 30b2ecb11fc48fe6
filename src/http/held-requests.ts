/** Counts requests with delayed or endless responses: in total, per owner, pupil, sandbox and address. */

import type { EventEmitter } from 'node:events';
import { newPromise } from '#base/awaitable.js';
import { addressOwner, isAddressOwner } from '#base/shares/owner.js';
import { guard } from '#wire/guard.js';
import { ownerOf } from './address/owner.js';
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

/** A pupil has this part of the share of an address. */
const pupilPart = 8;

/** One of the names that a request counts for. */
interface Counter {
  readonly name: string;
  readonly what: 'address' | 'account' | 'pupil' | 'sandbox';
}

export class HeldRequests {
  readonly #things: string;
  readonly #limit: number;
  readonly #limits: Readonly<Record<Counter['what'], number>>;
  /** By the names of counters, which have different forms. */
  readonly #counts = new Map<string, number>();
  readonly #releases = new Set<() => void>();
  #isOver = false;

  /**
   * A sandbox or account has at most half of the `limit`, an address a third, a pupil an eighth of that; `things` names
   * them in messages. The requests of a pupil also count for the owner of the class.
   */
  constructor(limit: number, things = 'requests') {
    this.#things = things;
    this.#limit = limit;
    const half = Math.floor(limit / 2);
    const third = Math.floor(limit / 3);
    const pupil = Math.max(1, Math.floor(third / pupilPart));
    this.#limits = { account: half, sandbox: half, address: third, pupil };
  }

  get size(): number {
    return this.#releases.size;
  }

  /** Holds a request until the client leaves or for `forMs`. Throws 503 when a limit is reached. */
  hold(request: Request, reply: Reply, forMs?: number): HeldRequest {
    const heldRequest = this.holdUntilClosed(request, reply.raw, forMs);
    void heldRequest.ended.then(() => {
      reply.sinceMs = performance.now();
    });
    return heldRequest;
  }

  /** Holds a request until something else is closed, such as a connection, or for `forMs`. */
  holdUntilClosed(request: Request, closing: Closing, forMs?: number): HeldRequest {
    const counters = countersOf(request);
    this.#checkRoom(counters);
    const controller = new AbortController();
    const { promise: ended, resolve: end } = newPromise();
    const release = guard(request.raw, (): void => {
      if (!this.#releases.delete(release)) return;
      for (const { name } of counters) this.#count(name, -1);
      clearTimeout(timer);
      closing.off('close', release);
      controller.abort(released);
      end();
    });
    const timer = forMs === undefined ? undefined : setTimeout(release, forMs);
    this.#releases.add(release);
    for (const { name } of counters) this.#count(name, 1);
    closing.once('close', release);
    if (this.#isOver || closing.destroyed) release();
    return { signal: controller.signal, ended, release };
  }

  /** Ends all held requests, and later ones at once. */
  endAll(): void {
    this.#isOver = true;
    for (const release of this.#releases) release();
  }

  #count(name: string, by: number): void {
    const count = (this.#counts.get(name) ?? 0) + by;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }

  #checkRoom(counters: readonly Counter[]): void {
    for (const { name, what } of counters) {
      const limit = this.#limits[what];
      if ((this.#counts.get(name) ?? 0) >= limit) throw this.#noRoom(limit, `of one ${what}`);
    }
    if (this.size >= this.#limit) throw this.#noRoom(this.#limit, 'in all');
  }

  #noRoom(limit: number, whose: string): HttpError {
    return new HttpError(
      503,
      `The service already holds ${limit} ${this.#things} ${whose}, its limit. End one first, or try again in a moment.`,
      { headers: { 'retry-after': String(retryAfterSeconds) } },
    );
  }
}

/** Names that callers choose for sandboxes have neither `@` nor `#`. */
function countersOf(request: Request): readonly Counter[] {
  const { name, part } = ownerOf(request);
  const address = addressOwner(request.ip);
  const counters: Counter[] = [{ name: address, what: 'address' }];
  if (part !== '') counters.push({ name: part, what: 'pupil' });
  else if (isAddressOwner(name))
    counters.push({ name: sandboxNameOf(request.raw), what: 'sandbox' });
  if (name !== address) {
    counters.push({ name, what: isAddressOwner(name) ? 'address' : 'account' });
  }
  return counters;
}

/** Waits until the time is over, or the request has ended. */
export async function pause(ms: number, heldRequest: HeldRequest | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await (heldRequest === undefined ? over : Promise.race([over, heldRequest.ended]));
  clearTimeout(timer);
}
