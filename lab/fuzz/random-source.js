/** Numbers that look random and are the same for the same seed. */

/**
 * @typedef {object} Random
 * @property {(limit: number) => number} below An integer from 0 to below `limit`; 0 when there is none
 * @property {<Item>(items: readonly Item[]) => Item} pick
 * @property {(percent: number) => boolean} chance
 */

/**
 * Mulberry32.
 *
 * @param {number} seed
 * @returns {Random}
 */
export function randomSource(seed) {
  let state = seed >>> 0;
  function next() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  /** @param {number} limit */
  const below = (limit) => Math.floor(next() * Math.max(limit, 0));
  return {
    below,
    pick: (items) => /** @type {any} */ (items[below(items.length)]),
    chance: (percent) => next() * 100 < percent,
  };
}
