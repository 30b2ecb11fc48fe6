/**
 * Numbers that look random and are the same for the same seed, on every machine and in every run.
 */

/** Makes a function that returns the next number, from 0 to just below 1. */
export function seededNumbers(seed: string): () => number {
  // FNV-1a spreads the seed over 32 bits; mulberry32 continues from there.
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) {
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<Choice>(next: () => number, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices[Math.floor(next() * choices.length)] ?? choices[0];
}

/** Returns a number from `low` to just below `high`. */
export function between(next: () => number, low: number, high: number): number {
  return low + next() * (high - low);
}
