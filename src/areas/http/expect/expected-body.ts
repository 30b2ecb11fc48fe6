/** The body of a request whose client may wait for 100 Continue. */

import type { Request } from '#http/exchange.js';
import { watchBody, withholdContinue } from '#kit/connection.js';

export const expectingClients = [
  'waited',
  'sent-at-once',
  'sent-after-timeout',
  'sent-after-final',
  'did-not-expect',
] as const;

export type ExpectingClient = (typeof expectingClients)[number];

/** A client that sends nothing for longer is waiting. */
const atOnceMs = 200;

export class ExpectedBody {
  readonly #request: Request;
  readonly #startedAtMs = performance.now();
  /** Absent if the client does not wait. */
  readonly #sendContinue: (() => void) | undefined;
  #bodyAfterMs: number | null = null;
  #continueAfterMs: number | null = null;
  #isContinuedFirst = false;
  #bytes = 0;

  /** Call before reading the body. Later reads do not send 100. */
  constructor(request: Request) {
    this.#request = request;
    this.#sendContinue = withholdContinue(request.raw);
    watchBody(request.raw, (chunk) => {
      this.#bodyAfterMs ??= this.elapsedMs;
      this.#bytes += chunk.length;
    });
  }

  get elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAtMs);
  }

  /** Whether the complete body has arrived. */
  get isHere(): boolean {
    return this.#request.raw.complete;
  }

  sendContinue(): void {
    if (this.#sendContinue === undefined) return;
    this.#continueAfterMs = this.elapsedMs;
    this.#isContinuedFirst = this.#bodyAfterMs === null;
    this.#sendContinue();
  }

  report() {
    return {
      client: this.#judge(),
      bodyAfterMs: this.#bodyAfterMs,
      continueAfterMs: this.#continueAfterMs,
      bodyBytes: this.#bytes,
    };
  }

  #judge(): ExpectingClient {
    const began = this.#bodyAfterMs;
    if (this.#sendContinue === undefined) return 'did-not-expect';
    if (began === null) return 'waited';
    if (this.#isContinuedFirst) return 'waited';
    return began <= atOnceMs ? 'sent-at-once' : 'sent-after-timeout';
  }
}
