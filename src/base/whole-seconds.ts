/** Times in whole seconds, as in HTTP dates and tokens. */

/** Unix time in seconds, rounded down. */
export function unixSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}

/** Rounds a time in milliseconds down to a whole second. */
export function wholeSeconds(timeMs: number): number {
  return unixSeconds(timeMs) * 1000;
}
