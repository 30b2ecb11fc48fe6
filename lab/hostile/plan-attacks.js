import { modes } from './run-attack.js';

/**
 * Which attacks are tried in which modes: all in all that they are for, or, in a short run, each in one, in
 * turn, so that every mode is met.
 *
 * @param {readonly import('./attacker.js').Attack[]} attacks
 * @param {{isShort: boolean, isPossible: (mode: import('./attacker.js').Mode) => boolean}} options
 */
export function planAttacks(attacks, { isShort, isPossible }) {
  return attacks.flatMap((attack, index) => {
    const possible = modes.filter((mode) => isPossible(mode) && (attack.isFor?.(mode) ?? true));
    const start = index % Math.max(1, possible.length);
    const chosen = isShort ? possible.slice(start, start + 1) : possible;
    return chosen.map((mode) => ({ attack, mode }));
  });
}
