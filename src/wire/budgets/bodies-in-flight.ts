/**
 * Limits the memory of all request bodies while they arrive and are handled, and enforces a minimum
 * pace.
 */

import { type Placed, Unordered } from '#base/shares/unordered.js';
import { guard } from '../guard.js';
import { Pace } from './pace.js';

const checkMs = 5_000;

export interface ArrivingBody extends Placed {
  arrivedBytes: number;
  /** From the first check on. */
  pace: Pace | undefined;
  /** Ends the body. */
  onTooSlow(): void;
  /** Ends the connection, if this fails. */
  destroy(): unknown;
}

export class BodiesInFlight {
  readonly maxBytes: number;
  readonly #arriving = new Unordered<ArrivingBody>();
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
    this.#arriving.add(body);
    this.#timer ??= setInterval(() => this.#check(), checkMs).unref();
  }

  arrived(body: ArrivingBody): void {
    this.#arriving.delete(body);
    body.pace = undefined;
  }

  #check(): void {
    const nowMs = performance.now();
    for (const body of this.#arriving) {
      if (body.pace === undefined) {
        body.pace = new Pace(body.arrivedBytes, nowMs);
        continue;
      }
      if (!body.pace.isTooSlow(body.arrivedBytes, nowMs)) continue;
      this.arrived(body);
      guard(body, () => body.onTooSlow())();
    }
    if (this.#arriving.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
