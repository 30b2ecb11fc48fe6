/**
 * Requests whose answers are held back or go on without end: delays, waits, streams. Each costs a
 * connection and what was made of the request, so they are counted, for all, for a sandbox and for an
 * address; to hold one more costs the same however many there are.
 */

import type { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from './http-error.js';
import { newPromise } from './new-promise.js';
import { sandboxNameOf } from './sandbox-name.js';

const retryAfterSeconds = 5;

/** One of them. Its holder must release it, whatever ends it. */
export interface HeldRequest {
  /** Aborted when the client leaves, the time is over, or the service stops. */
  readonly signal: AbortSignal;
  /** Resolves when the signal is aborted. */
  readonly ended: Promise<void>;
  /** Lets go of everything and aborts the signal; safe to call more than once. */
  release(): void;
}

type Closing = EventEmitter & { readonly destroyed: boolean };

export class HeldRequests {
  readonly #limit: number;
  readonly #things: string;
  readonly #limitPerSandbox: number;
  readonly #limitPerAddress: number;
  readonly #releases = new Set<() => void>();
  readonly #bySandbox = new Map<string, number>();
  readonly #byAddress = new Map<string, number>();
  #isOver = false;

  /** Of `limit` in all, half may be of one sandbox and a third of one address; `things` are what is held. */
  constructor(limit: number, things = 'requests') {
    this.#limit = limit;
    this.#things = things;
    this.#limitPerSandbox = Math.floor(limit / 2);
    this.#limitPerAddress = Math.floor(limit / 3);
  }

  get size(): number {
    return this.#releases.size;
  }

  /**
   * Holds a request, for as long as the client stays or for `forMs`. Throws 503 when there are as many
   * as there may be; before an answer to it has begun.
   */
  hold(request: FastifyRequest, { raw }: FastifyReply, forMs?: number): HeldRequest {
    return this.holdUntilClosed(request, raw, forMs);
  }

  /** The same for as long as something else is not closed, such as a connection. */
  holdUntilClosed(request: FastifyRequest, closing: Closing, forMs?: number): HeldRequest {
    const sandbox = request.accountId ?? sandboxNameOf(request.raw);
    const address = request.ip;
    this.#checkRoom(sandbox, address);
    const controller = new AbortController();
    const { promise: ended, resolve: end } = newPromise();
    const release = (): void => {
      if (!this.#releases.delete(release)) return;
      addTo(this.#bySandbox, sandbox, -1);
      addTo(this.#byAddress, address, -1);
      clearTimeout(timer);
      closing.off('close', release);
      controller.abort();
      end();
    };
    const timer = forMs === undefined ? undefined : setTimeout(release, forMs);
    this.#releases.add(release);
    addTo(this.#bySandbox, sandbox, 1);
    addTo(this.#byAddress, address, 1);
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
    const ofAddress = this.#byAddress.get(address) ?? 0;
    const ofSandbox = this.#bySandbox.get(sandbox) ?? 0;
    if (ofAddress >= this.#limitPerAddress)
      throw this.#noRoom(this.#limitPerAddress, 'of one address');
    if (ofSandbox >= this.#limitPerSandbox)
      throw this.#noRoom(this.#limitPerSandbox, 'of one sandbox');
    if (this.size >= this.#limit) throw this.#noRoom(this.#limit, 'in all');
  }

  #noRoom(limit: number, whose: string): HttpError {
    return new HttpError(
      503,
      `The service holds ${limit} ${this.#things} ${whose} open, the most it may. End one first, or try again in a moment.`,
      { headers: { 'retry-after': String(retryAfterSeconds) } },
    );
  }
}

function addTo(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
