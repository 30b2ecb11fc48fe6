/** Chooses parts of lists so that each part has its turn. */

import { createHash } from 'node:crypto';

/**
 * Returns the names whose turn it is, in the order of the list. In `parts` turns, counted from a multiple of `parts`, each
 * name is chosen once. The order is drawn for each such round and for each choice, so that choices are independent of each
 * other. A list that is shorter than `parts` has one name in each turn.
 *
 * @param {string} choice What is chosen; different for each list
 * @param {readonly string[]} names
 * @param {number} parts
 * @param {number} turn
 */
export function namesInTurn(choice, names, parts, turn) {
  const count = Math.min(parts, names.length);
  const round = Math.floor(turn / count);
  const order = namesInOrder(choice, names, round);
  const chosen = new Set(order.filter((_name, rank) => rank % count === turn % count));
  return names.filter((name) => chosen.has(name));
}

/**
 * Returns the names in an order that is drawn for each choice and round.
 *
 * @param {string} choice
 * @param {readonly string[]} names
 * @param {number} round
 */
export function namesInOrder(choice, names, round) {
  return names
    .map((name) => ({ name, draw: draw(`${choice}\n${round}\n${name}`) }))
    .sort((a, b) => (a.draw < b.draw ? -1 : 1))
    .map(({ name }) => name);
}

/** @param {string} text */
const draw = (text) => createHash('sha256').update(text).digest('hex');
