/** What all request bodies hold while they arrive and are worked on: a budget, and a minimum pace. */

import { Pace } from './pace.js';

const checkMs = 5_000;

/** A body on its way. */
export interface ArrivingBody {
  /** How many bytes have arrived. */
  arrivedBytes: number;
  /** Called when they come slower than the minimum pace. */
  onTooSlow(): void;
}

export class BodiesInFlight {
  readonly maxBytes: number;
  /** With their paces, from the first check on. */
  readonly #arriving = new Map<ArrivingBody, Pace | undefined>();
  /** Most bodies have arrived before the next one is watched, and are spared the map. */
  #latest: ArrivingBody | undefined;
  #timer: NodeJS.Timeout | undefined;
  #total = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** What they hold, in bytes. */
  get total(): number {
    return this.#total;
  }

  /** Sets bytes aside, and says whether there were as many; {@link release} gives them back. */
  reserve(bytes: number): boolean {
    if (this.#total + bytes > this.maxBytes) return false;
    this.#total += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#total -= bytes;
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
      body.onTooSlow();
    }
    if (this.#arriving.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
