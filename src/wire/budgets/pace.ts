/** Whether bytes move at the minimum pace, for both directions. */

/** 1 KiB a second, over this long. */
export const minBytesPerSecond = 1024;
export const paceWindowMs = 30_000;

/** What of a transfer had moved when it was looked at. */
interface Look {
  readonly atMs: number;
  readonly movedBytes: number;
}

/** A transfer that is looked at several times in a window. Time is in milliseconds, of any clock. */
export class Pace {
  readonly #windowMs: number;
  /** The oldest is the last one before the window. */
  readonly #looks: [Look, ...Look[]];

  constructor(movedBytes: number, nowMs: number, windowMs = paceWindowMs) {
    this.#windowMs = windowMs;
    this.#looks = [{ atMs: nowMs, movedBytes }];
  }

  /** Whether too little has moved in the window that ends now. */
  isTooSlow(movedBytes: number, nowMs: number): boolean {
    const looks = this.#looks;
    looks.push({ atMs: nowMs, movedBytes });
    while (looks[1] !== undefined && nowMs - looks[1].atMs >= this.#windowMs) looks.shift();
    const [before] = looks;
    const elapsedMs = nowMs - before.atMs;
    const leastBytes = (elapsedMs / 1000) * minBytesPerSecond;
    return elapsedMs >= this.#windowMs && movedBytes - before.movedBytes < leastBytes;
  }
}
