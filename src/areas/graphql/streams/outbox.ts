/**
 * A queue for the operations of one stream: each text is made after the client has read the
 * previous one.
 */

import { type Awaitable, newPromise } from '#base/awaitable.js';
import { usualHeartbeatMs } from '#http/sending/event-stream.js';

interface Offer {
  readonly make: () => Awaitable<string>;
  readonly settle: () => void;
}

export class Outbox {
  readonly #offers: Offer[] = [];
  readonly #heartbeatMs: number;
  #isOver = false;
  #wake: () => void = () => {};

  constructor(heartbeatMs = usualHeartbeatMs) {
    this.#heartbeatMs = heartbeatMs;
  }

  /** Makes and sends a text in turn; resolves after that, or when the stream is over. */
  async offer(make: () => Awaitable<string>): Promise<void> {
    if (this.#isOver) return;
    const { promise, resolve } = newPromise();
    this.#offers.push({ make, settle: resolve });
    this.#wake();
    await promise;
  }

  /** Stops sending, and releases all waiting callers. */
  end(): void {
    this.#isOver = true;
    for (const { settle } of this.#offers.splice(0)) settle();
    this.#wake();
  }

  /** Yields the texts, and `undefined` for each period without one. */
  async *texts(): AsyncGenerator<string | undefined> {
    try {
      while (!this.#isOver) {
        const offer = this.#offers.shift();
        if (offer === undefined) {
          if (await this.#isQuiet()) yield undefined;
          continue;
        }
        try {
          yield await offer.make();
        } finally {
          offer.settle();
        }
      }
    } finally {
      this.end();
    }
  }

  /** Waits for an offer, for at most a heartbeat, and returns whether there was none. */
  async #isQuiet(): Promise<boolean> {
    const { promise, resolve } = newPromise();
    this.#wake = resolve;
    const timer = setTimeout(resolve, this.#heartbeatMs);
    await promise;
    clearTimeout(timer);
    return this.#offers.length === 0 && !this.#isOver;
  }
}
