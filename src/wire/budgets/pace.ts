/** The minimum pace of bytes, in both directions. */

/** A transfer must move this much on average over {@link paceWindowMs}. */
export const minBytesPerSecond = 1024;
export const paceWindowMs = 30_000;

interface Check {
  readonly atMs: number;
  readonly movedBytes: number;
}

/** A transfer that is checked several times per window. Times are in milliseconds, of any clock. */
export class Pace {
  readonly #windowMs: number;
  /** The first check is the last one before the window. */
  readonly #checks: [Check, ...Check[]];

  constructor(movedBytes: number, nowMs: number, windowMs = paceWindowMs) {
    this.#windowMs = windowMs;
    this.#checks = [{ atMs: nowMs, movedBytes }];
  }

  isTooSlow(movedBytes: number, nowMs: number): boolean {
    const checks = this.#checks;
    checks.push({ atMs: nowMs, movedBytes });
    while (checks[1] !== undefined && nowMs - checks[1].atMs >= this.#windowMs) checks.shift();
    const [before] = checks;
    const elapsedMs = nowMs - before.atMs;
    const leastBytes = (elapsedMs / 1000) * minBytesPerSecond;
    return elapsedMs >= this.#windowMs && movedBytes - before.movedBytes < leastBytes;
  }
}
