/** Whether bytes move at the minimum pace, for both directions. */

/** 1 KiB a second, over this long. */
export const minBytesPerSecond = 1024;
export const paceWindowMs = 30_000;

/** What of a transfer has moved, looked at now and then. Time is in milliseconds, of any clock. */
export class Pace {
  readonly #windowMs: number;
  #startMs: number;
  #startBytes: number;

  constructor(movedBytes: number, nowMs: number, windowMs = paceWindowMs) {
    this.#windowMs = windowMs;
    this.#startBytes = movedBytes;
    this.#startMs = nowMs;
  }

  /** Whether too little has moved since a window ago; when enough has, the next window begins. */
  isTooSlow(movedBytes: number, nowMs: number): boolean {
    const elapsedMs = nowMs - this.#startMs;
    if (elapsedMs < this.#windowMs) return false;
    if (movedBytes - this.#startBytes < (elapsedMs / 1000) * minBytesPerSecond) return true;
    this.#startMs = nowMs;
    this.#startBytes = movedBytes;
    return false;
  }
}
