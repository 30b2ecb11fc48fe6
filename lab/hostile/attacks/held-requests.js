/** Answers that take long because they are asked to. */

import { setTimeout as sleep } from 'node:timers/promises';

const bins = 50;
const perBin = 40;

/**
 * Asks for answers that wait, on a connection each, resets all, and begins again.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {number} count
 * @param {(index: number) => string} requestOf
 */
export async function holdAndReset(attacker, count, requestOf) {
  while (!attacker.isOver()) {
    await attacker.openMany(count, (socket, index) => {
      socket.resume();
      socket.write(requestOf(index));
    });
    await Promise.race([sleep(2000), attacker.untilOver()]);
    attacker.resetAll();
  }
}

/**
 * @param {import('../attacker.js').Attacker} attacker
 * @param {string} below What of a bin to ask for
 */
async function requestsOfBins(attacker, below) {
  const [key] = attacker.keys;
  const own = key === undefined ? {} : { key };
  const requests = [];
  for (let made = 0; made < bins; made++) {
    const { text } = await attacker.ask('POST', '/api/webhooks/bins', own);
    requests.push(attacker.bytes('GET', `/api/webhooks/bins/${JSON.parse(text).id}${below}`, own));
  }
  return requests;
}

/** @type {(attacker: import('../attacker.js').Attacker, requests: string[]) => Promise<void>} */
const holdBins = (attacker, requests) =>
  holdAndReset(attacker, bins * perBin, (index) => requests[index % requests.length] ?? '');

/** @type {readonly import('../attacker.js').Attack[]} */
export const heldAttacks = [
  {
    name: '3,000 delayed requests, then reset',
    async run(attacker) {
      const request = attacker.bytes('GET', '/api/methods/get?delay=10');
      await holdAndReset(attacker, 3000, () => request);
    },
  },
  {
    name: '2,000 long polls, then reset',
    prepare: (attacker) => requestsOfBins(attacker, '/requests?after=0&wait=60'),
    run: holdBins,
  },
  {
    name: '2,000 event streams, then reset',
    prepare: (attacker) => requestsOfBins(attacker, '/events'),
    run: holdBins,
  },
];
