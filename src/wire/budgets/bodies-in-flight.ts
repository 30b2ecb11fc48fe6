/**
 * Limits the memory of all request bodies while they arrive and are handled, and enforces a minimum
 * pace.
 */

import { guard } from '../guard.js';
import { Pace } from './pace.js';

const checkMs = 5_000;

export interface ArrivingBody {
  arrivedBytes: number;
  /** Ends the body. */
  onTooSlow(): void;
  /** Ends the connection, if this fails. */
  destroy(): unknown;
}

export class BodiesInFlight {
  readonly maxBytes: number;
  /** Bodies, with a pace from the first check on. */
  readonly #arriving = new Map<ArrivingBody, Pace | undefined>();
  /** Most bodies are complete before the next one is watched, so they need no entry in the map. */
  #latest: ArrivingBody | undefined;
  #timer: NodeJS.Timeout | undefined;
  total = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /**
   * Reserves bytes until {@link release}, and returns whether there were enough. A negative number
   * releases bytes.
   */
  reserve(bytes: number): boolean {
    if (bytes > 0 && this.total + bytes > this.maxBytes) return false;
    this.total += bytes;
    return true;
  }

  release(bytes: number): void {
    this.total -= bytes;
  }

  /** Watches the pace of a body until {@link arrived}. */
  watch(body: ArrivingBody): void {
    if (this.#latest !== undefined) this.#arriving.set(this.#latest, undefined);
    this.#latest = body;
    this.#timer ??= setInterval(() => this.#check(), checkMs).unref();
  }

  arrived(body: ArrivingBody): void {
    if (this.#latest === body) this.#latest = undefined;
    else this.#arriving.delete(body);
  }

  #check(): void {
    const nowMs = performance.now();
    if (this.#latest !== undefined) this.#arriving.set(this.#latest, undefined);
    this.#latest = undefined;
    for (const [body, pace] of this.#arriving) {
      if (pace === undefined) {
        this.#arriving.set(body, new Pace(body.arrivedBytes, nowMs));
        continue;
      }
      if (!pace.isTooSlow(body.arrivedBytes, nowMs)) continue;
      this.#arriving.delete(body);
      guard(body, () => body.onTooSlow())();
    }
    if (this.#arriving.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
