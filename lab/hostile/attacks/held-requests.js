/** Responses that the request itself delays. */

import { attacksOf } from '../attacker.js';
import { held } from '../reach.js';

const bins = 50;
const perBin = 40;
const roundMs = 2000;

/**
 * Sends requests whose responses wait, one on each connection, resets all of them, and begins again.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {number} count
 * @param {(index: number) => string} requestOf
 */
export function holdAndReset(attacker, count, requestOf) {
  return attacker.openAndReset(
    count,
    (socket, index) => {
      socket.resume();
      socket.write(requestOf(index));
    },
    roundMs,
  );
}

/**
 * Makes an attack with requests below the paths of bins.
 *
 * @param {string} name
 * @param {string} below
 * @param {import('../reach.js').Proof} reaches
 * @returns {import('../attacker.js').Attack}
 */
const onBins = (name, below, reaches) => ({
  name,
  reaches,
  async prepare(attacker) {
    const requests = [];
    for (let made = 0; made < bins; made++) {
      const path = `/api/webhooks/bins/${await attacker.newBin()}${below}`;
      requests.push(attacker.bytes('GET', path, attacker.sameAccount));
    }
    return requests;
  },
  run: (attacker, requests) =>
    holdAndReset(attacker, bins * perBin, (index) => requests[index % requests.length]),
});

/** @type {readonly import('../attacker.js').Attack[]} */
export const heldAttacks = [
  ...attacksOf(
    {
      '3,000 delayed requests, then reset': (attacker) => {
        const request = attacker.bytes('GET', '/api/methods/get?delay=10');
        return holdAndReset(attacker, 3000, () => request);
      },
    },
    { reaches: held },
  ),
  onBins('2,000 long polls, then reset', '/requests?after=0&wait=60', held),
  onBins('2,000 event streams, then reset', '/events', 200),
];
