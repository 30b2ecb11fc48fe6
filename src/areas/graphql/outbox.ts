/**
 * What the operations of one stream have to say, in the order in which they wanted to say it. Each text is
 * made when the client has taken the one before, so that a slow client holds up what it subscribed to and
 * nothing else: of many subscriptions one response waits at a time.
 */

import { type Awaitable, newPromise } from '../../base/awaitable.js';
import { usualHeartbeatMs } from '../../http/sending/event-stream.js';

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

  /** Has a text made and sent when its turn comes; resolves when it was, or when the stream is over. */
  async offer(make: () => Awaitable<string>): Promise<void> {
    if (this.#isOver) return;
    const { promise, resolve } = newPromise();
    this.#offers.push({ make, settle: resolve });
    this.#wake();
    await promise;
  }

  /** Nothing more is sent; whoever waits for a turn is let go. */
  end(): void {
    this.#isOver = true;
    for (const { settle } of this.#offers.splice(0)) settle();
    this.#wake();
  }

  /** The texts, and `undefined` for each time in which there was none. */
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

  async #isQuiet(): Promise<boolean> {
    const { promise, resolve } = newPromise();
    let isQuiet = false;
    const timer = setTimeout(() => {
      isQuiet = true;
      resolve();
    }, this.#heartbeatMs);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    return isQuiet;
  }
}
